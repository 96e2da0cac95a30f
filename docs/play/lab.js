// Under the answer of a MemN2N: its attention soft or hard, a hop in numbers, its words in two dimensions.
const SVG = "http://www.w3.org/2000/svg";
let shownHop = 0, shownTable = 0, planes = new Map(), timer = 0;

function element(name, options = {}, ...children) {
  const { on, ...rest } = options, made = document.createElement(name);
  for (const [key, value] of Object.entries(rest)) key in made ? (made[key] = value) : made.setAttribute(key, value);
  for (const [event, act] of Object.entries(on ?? {})) made.addEventListener(event, act);
  made.append(...children);
  return made;
}

const likely = ({ answers }) => answers.map(([word, chance]) => `${word} ${Math.round(100 * chance)} %`).join(", ");
const answers = ({ answer }) => (answer === null ? "If it did not refuse, it would answer: " : "It answers: ");
const percent = (weight) => (weight >= 0.005 ? `${Math.round(100 * weight)}` : "");

// A vector as a strip: blue is more than zero, amber less, the stronger the farther.
function strip(vector, most) {
  const canvas = element("canvas", { className: "strip", width: vector.length, height: 1 }), draw = canvas.getContext("2d");
  const style = getComputedStyle(document.documentElement);
  for (const [at, value] of vector.entries()) {
    const shade = style.getPropertyValue(value < 0 ? "--minus" : "--shade").trim();
    draw.fillStyle = `rgb(${shade} / ${Math.min(1, Math.abs(value) / most).toFixed(3)})`;
    draw.fillRect(at, 0, 1, 1);
  }
  canvas.setAttribute("role", "img");
  canvas.setAttribute("aria-label", `${vector.length} numbers, from ${Math.min(...vector).toFixed(2)} to ${Math.max(...vector).toFixed(2)}`);
  return canvas;
}

export function drawLab(lab, state, value, ask, call) {
  if (!lab.firstChild) build(lab);
  for (const id of ["soft", "words"]) lab.querySelector(`#${id} .then`).textContent = answers(value) + likely(value.apart.hops.at(-1));
  attention(lab.querySelector("#soft"), state, ask);
  hop(lab.querySelector("#hop"), value, state);
  lab.querySelector("#words .body").tables = value.apart.hops.length + 1;
  words(lab.querySelector("#words"), state, ask, call);
}

function build(lab) {
  const part = (id, title, lead) =>
    element("section", { id }, element("h2", { textContent: title }), element("p", { className: "lead", textContent: lead }),
      element("div", { className: "body" }), element("p", { className: "then" }));
  lab.append(
    part("soft", "Soft and hard attention",
      "Scores become weights by a softmax. A high temperature makes it read everything a little, a low one a single sentence."),
    part("hop", "One hop, in numbers",
      "A sentence is the sum of its words' vectors. The query is compared with each sentence, and what it reads is added to it."),
    part("words", "Words are vectors",
      "Words that are used alike lie close together. Give one word another's vectors, or drag it, and see what the network answers."));
}

function attention(section, state, ask) {
  const body = section.querySelector(".body"), change = state.change;
  if (!body.firstChild) {
    const slider = element("input", { type: "range", min: -1.5, max: 1.5, step: 0.05, id: "temperature",
      on: { input: () => ((body.state.change.temperature = 10 ** Number(slider.value)), write(), later(body.ask)) } });
    const hard = element("button", { type: "button", id: "hard",
      on: { click: () => ((body.state.change.hard = !body.state.change.hard), body.ask()) } });
    const reset = element("button", { type: "button", textContent: "as trained",
      on: { click: () => (Object.assign(body.state.change, { temperature: 1, hard: false }), body.ask()) } });
    const said = element("output", { id: "degrees" });
    body.append(element("p", { className: "row wrap" },
      element("label", { className: "grow" }, element("span", {}, "Temperature ", said), slider), hard, reset));
    const write = () => (said.textContent = Number(10 ** Number(slider.value)).toPrecision(2));
    body.write = write;
  }
  Object.assign(body, { state, ask });
  const [slider, hard] = [body.querySelector("#temperature"), body.querySelector("#hard")];
  if (document.activeElement !== slider) slider.value = Math.log10(change.temperature ?? 1);
  slider.disabled = Boolean(change.hard);
  hard.setAttribute("aria-pressed", Boolean(change.hard));
  hard.textContent = "Hard: one sentence a hop";
  body.write();
}

function later(act) {
  clearTimeout(timer);
  timer = setTimeout(act, 20);
}

function tabs(count, chosen, name, choose) {
  return element("p", { className: "tabs row wrap", role: "group", "aria-label": name },
    ...Array.from({ length: count }, (_, at) =>
      element("button", { type: "button", textContent: `${name} ${at + 1}`, "aria-pressed": at === chosen, on: { click: () => choose(at) } })));
}

function hop(section, value, state) {
  const body = section.querySelector(".body"), { hops, first } = value.apart;
  shownHop = Math.min(shownHop, hops.length - 1);
  const { query, memory, scores, weights, null: nothing, output, state: next } = hops[shownHop];
  const told = value.story.map((text, at) => [at + 1, text]).filter(([line]) => !state.struck.has(line)).slice(first - 1);
  const most = Math.max(0.01, ...[query, output, next, ...memory].flat().map(Math.abs));
  const top = Math.max(1, ...scores.map(Math.abs));
  const line = (kind, name, vector, score, weight) => {
    const cell = (className, ...inside) => element("td", { className }, ...inside);
    const bar = score === undefined ? "" : element("span", { className: "score" },
      element("i", { style: `width:${Math.max(0, (100 * score) / top).toFixed(1)}%` }), score.toFixed(1));
    const shade = weight === undefined ? "" : `background:rgb(var(--shade) / ${(0.55 * weight).toFixed(3)})`;
    return element("tr", { className: kind }, cell("name", ...[name].flat()), cell("vector", vector ? strip(vector, most) : ""),
      cell("scored", bar), element("td", { className: "weight", style: shade }, weight === undefined ? "" : percent(weight)));
  };
  const symbol = (text) => element("i", { className: "symbol", textContent: text });
  const rows = [line("u", [symbol("u"), shownHop ? "the query, as hop " + shownHop + " left it" : "the question"], query)];
  rows.push(...told.map(([number, text], at) => line("m", [symbol(`m${number}`), text], memory[at], scores[at], weights[at])));
  if (nothing) rows.push(line("m", [symbol("–"), "nothing: the memory's empty places"], null, nothing[0], nothing[1]));
  rows.push(line("o", [symbol("o"), "what it read, weighted"], output));
  rows.push(line("u", [symbol("u′"), "u + o, the next query"], next));
  const head = element("tr", {}, ...["", `${query.length} numbers`, "u · m", "weight, %"].map((text) => element("th", { textContent: text })));
  body.replaceChildren(
    tabs(hops.length, shownHop, "hop", (at) => ((shownHop = at), hop(section, value, state))),
    element("table", { className: "numbers" }, element("thead", {}, head), element("tbody", {}, ...rows)));
  section.querySelector(".then").textContent =
    (shownHop === hops.length - 1 ? answers(value) : "If this hop were the last, it would answer: ") + likely(hops[shownHop]);
}

async function words(section, state, ask, call) {
  const body = section.querySelector(".body"), known = state.known[state.network]?.words;
  if (!known?.length) return;
  if (!body.firstChild) {
    const choose = (id) => element("select", { id }, ...known.map((word) => new Option(word)));
    const give = element("button", { type: "button", textContent: "Give", on: { click: () => {
      body.state.change.instead = { ...body.state.change.instead, [body.querySelector("#word").value]: body.querySelector("#other").value };
      body.ask();
    } } });
    const reset = element("button", { type: "button", textContent: "as trained",
      on: { click: () => (Object.assign(body.state.change, { moved: {}, instead: {} }), body.ask()) } });
    body.append(element("p", { className: "row wrap" }, element("label", {}, "the word", choose("word")),
      element("label", {}, "the vectors of", choose("other")), give, reset), element("p", { className: "changes" }),
      body.parentNode.querySelector(".then"), element("div", { className: "tables" }), element("div", { className: "map" }), element("p", { className: "share-of" }));
    [body.querySelector("#word").value, body.querySelector("#other").value] = ["john", "mary"];
  }
  Object.assign(body, { state, ask });
  const { moved = {}, instead = {} } = state.change;
  const said = Object.entries(instead).map(([word, other]) => `${word} has the vectors of ${other}`);
  for (const [table, places] of Object.entries(moved))
    said.push(...Object.keys(places).map((word) => `${word} is moved in table ${Number(table) + 1}`));
  body.querySelector(".changes").textContent = said.join("; ");
  const among = planeOf(state, known), key = JSON.stringify([state.network, shownTable, among]);
  body.key = key;
  if (!planes.has(key)) planes.set(key, call({ do: "words", network: state.network, table: shownTable, words: among }));
  const { value } = await planes.get(key);
  if (body.dragging || key !== body.key) return;
  const tables = tabs(body.tables, shownTable, "table", (at) => ((shownTable = at), words(section, state, ask, call)));
  body.querySelector(".tables").replaceChildren(tables);
  if (value.error) return void (body.querySelector(".share-of").textContent = value.error);
  draw(body, value, among);
  body.querySelector(".share-of").textContent = `Table ${shownTable + 1} of ${body.tables}, in the two directions in which these words ` +
    `differ most: ${Math.round(100 * value.share)} % of their differences. Blue words stand in the story or the question.`;
}

// The words of the story and the question, and others to compare them with: those of the same tasks.
const OTHERS = ["bathroom", "bedroom", "hallway", "office", "garden", "kitchen", "daniel", "john", "mary", "sandra", "apple", "milk"];
const told = (state) => new Set(`${state.story} ${state.question}`.toLowerCase().match(/\p{L}+/gu) ?? []);

function planeOf(state, known) {
  const there = [...told(state)].filter((word) => known.includes(word));
  return [...new Set([...there, ...OTHERS])].slice(0, 60);
}

const [WIDE, HIGH] = [900, 520];

// A dot at each word's place, and its name beside it, or near by where names would cover each other.
function draw(body, plane, among) {
  const { state } = body, moved = state.change.moved?.[shownTable] ?? {}, there = told(state);
  const [xs, ys] = [0, 1].map((axis) => plane.places.map((place) => place[axis]));
  const middle = [xs, ys].map((all) => (Math.min(...all) + Math.max(...all)) / 2);
  const scale = Math.min((0.84 * WIDE) / (Math.max(...xs) - Math.min(...xs)), (0.84 * HIGH) / (Math.max(...ys) - Math.min(...ys)));
  const svg = drawn("svg", { viewBox: `0 0 ${WIDE} ${HIGH}`, "aria-label": "Words of a table in two dimensions" });
  const order = plane.words.map((_, at) => at).sort((a, b) => there.has(plane.words[b]) - there.has(plane.words[a]));
  const taken = [], size = matchMedia("(max-width: 44rem)").matches ? 24 : 15;
  for (const at of order) {
    const word = plane.words[at], other = plane.words.indexOf(state.change.instead?.[word]);
    const place = plane.places[other < 0 ? at : other].map((value, axis) => value + (moved[word]?.[axis] ?? 0));
    const x = WIDE / 2 + (place[0] - middle[0]) * scale, y = HIGH / 2 - (place[1] - middle[1]) * scale;
    const half = 0.3 * size * word.length, free = (down) => taken.every(([left, top, wide]) =>
      Math.abs(left - x) > half + wide || Math.abs(top - (y + down)) > 1.1 * size);
    const steps = [...Array(24).keys()].map((step) => (step % 2 ? -1 : 1) * Math.ceil(step / 2) * size * 0.55 - 0.5 * size);
    const down = steps.find(free) ?? steps[0];
    taken.push([x, y + down, half]);
    const group = drawn("g", { class: there.has(word) ? "told" : "", transform: `translate(${x} ${y})` });
    if (Math.abs(down) > size) group.append(drawn("path", { d: `M0 0V${down - (down > 0 ? size * 0.8 : 0)}` }));
    const name = drawn("text", { y: down, "font-size": size });
    name.textContent = word;
    group.append(drawn("circle", { r: 2.5 }), name);
    group.addEventListener("pointerdown", (event) => drag(event, body, svg, group, word, [x, y], scale, among));
    svg.append(group);
  }
  body.querySelector(".map").replaceChildren(svg);
}

function drawn(name, attributes) {
  const made = document.createElementNS(SVG, name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  return made;
}

function drag(event, body, svg, group, word, [x, y], scale, among) {
  const { state, ask } = body, unit = WIDE / svg.getBoundingClientRect().width;
  const begin = [event.clientX, event.clientY], from = state.change.moved?.[shownTable]?.[word] ?? [0, 0];
  body.dragging = true;
  group.setPointerCapture(event.pointerId);
  event.preventDefault();
  const move = (now) => {
    const [right, down] = [(now.clientX - begin[0]) * unit, (now.clientY - begin[1]) * unit];
    state.change = { ...state.change, among, moved: state.change.moved ?? {} };
    state.change.moved[shownTable] = { ...state.change.moved[shownTable], [word]: [from[0] + right / scale, from[1] - down / scale] };
    group.setAttribute("transform", `translate(${x + right} ${y + down})`);
    later(ask);
  };
  const end = () => {
    body.dragging = false;
    group.removeEventListener("pointermove", move);
    later(ask);
  };
  group.addEventListener("pointermove", move);
  group.addEventListener("pointerup", end, { once: true });
  group.addEventListener("pointercancel", end, { once: true });
}
