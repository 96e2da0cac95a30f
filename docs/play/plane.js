// Words in two dimensions: a dot at each word's place and its name beside it, where no name and no dot is covered.
const SVG = "http://www.w3.org/2000/svg";
const GAP = 4, RINGS = [0, 0.6, 1.2, 1.8, 2.4, 3], DOT = 3;  // pixels; heights of a name between it and its dot; pixels
const SIDES = [[0, -1], [1, 0], [-1, 0], [0, 1], [1, -1], [-1, -1], [1, 1], [-1, 1]];  // from a dot to the middle of its name

const apart = (a, b) => Math.abs(a.x - b.x) >= (a.wide + b.wide) / 2 || Math.abs(a.y - b.y) >= (a.high + b.high) / 2;

// Where each name stands, its middle from its dot: the nearest free place, the first of `dots` first; null where there is none.
export function place(dots, wide, high) {
  const points = dots.map(({ x, y }) => ({ x, y, wide: 2 * DOT, high: 2 * DOT })), taken = [];
  return dots.map((dot, at) => {
    for (const ring of RINGS)
      for (const [right, down] of SIDES) {
        const away = GAP + ring * dot.high, far = [right * (dot.wide / 2 + away), down * (dot.high / 2 + away)];
        const name = { x: dot.x + far[0], y: dot.y + far[1], wide: dot.wide, high: dot.high };
        const inside = Math.abs(name.x - wide / 2) + name.wide / 2 <= wide / 2 && Math.abs(name.y - high / 2) + name.high / 2 <= high / 2;
        if (!inside || !taken.every((one) => apart(name, one))) continue;
        if (!points.every((one, other) => other === at || apart(name, one))) continue;
        taken.push(name);
        return far;
      }
    return null;
  });
}

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

const pen = globalThis.document?.createElement("canvas").getContext("2d");

// `told`: words of the story, which are named first; `moveTo(word, [x, y])` puts a word elsewhere, in the units of `plane`.
export function drawPlane(map, { plane, told, placeOf, moveTo, free }) {
  const wide = map.clientWidth || 360, small = wide < 700, size = small ? 13 : 15, high = Math.round(small ? 1.05 * wide : 0.56 * wide);
  const [xs, ys] = [0, 1].map((axis) => plane.places.map((one) => one[axis]));
  const middle = [xs, ys].map((all) => (Math.min(...all) + Math.max(...all)) / 2);
  const spread = [xs, ys].map((all) => Math.max(...all) - Math.min(...all) || 1);
  const scale = Math.min((0.84 * wide) / spread[0], (0.84 * high) / spread[1]), family = getComputedStyle(map).fontFamily;
  const order = plane.words.map((_, at) => at).sort((a, b) => told.has(plane.words[b]) - told.has(plane.words[a]));
  const dots = order.map((at) => {
    const word = plane.words[at], [right, up] = placeOf(word, at);
    pen.font = `${told.has(word) ? 600 : 400} ${size}px ${family}`;
    const x = wide / 2 + (right - middle[0]) * scale, y = high / 2 - (up - middle[1]) * scale;
    return { word, x, y, wide: pen.measureText(word).width + 4, high: 1.25 * size };
  });
  const svg = drawn("svg", { viewBox: `0 0 ${wide} ${high}`, role: "group", "aria-label": "Words of a table in two dimensions" });
  const lines = svg.appendChild(drawn("g", { class: "lines", "aria-hidden": true }));  // below all names
  const focused = document.activeElement?.closest?.(".map [data-word]")?.dataset.word, unnamed = [];
  for (const [at, far] of place(dots, wide, high).entries()) {
    const { word, x, y, high: tall } = dots[at], [right, down] = far ?? [0, -tall / 2 - GAP];
    const kind = [told.has(word) ? "told" : "", far ? "" : "unnamed"].join(" ").trim();
    const group = drawn("g", { class: kind, transform: `translate(${x} ${y})`, tabindex: 0, role: "img", "aria-label": word });
    group.dataset.word = word;
    if (!far) unnamed.push(word);
    const name = drawn("text", { x: right, y: down + 0.35 * size, "font-size": size }), long = Math.hypot(right, down);
    name.textContent = word;
    const near = 1 - tall / 2 / long, line = drawn("path", { d: `M${x} ${y}L${x + near * right} ${y + near * down}` });
    if (far && long > 1.5 * tall) lines.append(line);
    group.append(drawn("circle", { r: DOT }), drawn("circle", { r: 11, class: "grip" }), name);
    group.addEventListener("pointerdown", (event) => {
      line.remove();
      drag(event, svg, group, [x, y], scale, (to) => moveTo(word, to), free);
    });
    group.addEventListener("keydown", (event) => step(event, scale, (to) => moveTo(word, to)));
    svg.append(group);
  }
  map.replaceChildren(svg);
  if (focused) svg.querySelector(`[data-word="${CSS.escape(focused)}"]`)?.focus({ preventScroll: true });
  return unnamed;
}

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }, STEP = 12;  // pixels a key

function step(event, scale, move) {
  const far = STEPS[event.key];
  if (!far || event.ctrlKey || event.altKey || event.metaKey) return;
  event.preventDefault();
  move(far.map((one) => (one * STEP) / scale));
}

function drag(event, svg, group, [x, y], scale, move, free) {
  const unit = svg.viewBox.baseVal.width / svg.getBoundingClientRect().width;
  let before = [event.clientX, event.clientY], [left, top] = [x, y];
  free(false);
  group.setPointerCapture(event.pointerId);
  group.focus({ preventScroll: true });
  event.preventDefault();
  const moved = (now) => {
    const [right, down] = [(now.clientX - before[0]) * unit, (now.clientY - before[1]) * unit];
    [before, left, top] = [[now.clientX, now.clientY], left + right, top + down];
    group.setAttribute("transform", `translate(${left} ${top})`);
    move([right / scale, -down / scale]);
  };
  const end = () => {
    group.removeEventListener("pointermove", moved);
    free(true);
  };
  group.addEventListener("pointermove", moved);
  group.addEventListener("pointerup", end, { once: true });
  group.addEventListener("pointercancel", end, { once: true });
}
