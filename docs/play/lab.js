// Under the answer of a MemN2N: its attention soft or hard, a hop in numbers, its words in two dimensions.
import { drawPlane } from "./plane.js";

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
      "Words that are used alike lie close together. Give one word another's vectors, or move it: drag it, or go to it by Tab and press " +
      "the arrow keys. See what the network answers."));
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
      body.parentNode.querySelector(".then"), element("div", { className: "tables" }), element("div", { className: "map" }),
      element("p", { className: "crowded share-of" }), element("p", { className: "share share-of" }));
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
  if (value.error) return void (body.querySelector(".share").textContent = value.error);
  draw(body, value, among);
  body.querySelector(".share").textContent = `Table ${shownTable + 1} of ${body.tables}, in the two directions in which these words ` +
    `differ most: ${Math.round(100 * value.share)} % of their differences. Blue words stand in the story or the question.`;
}

// The words of the story and the question, and others to compare them with: those of the same tasks.
const OTHERS = ["bathroom", "bedroom", "hallway", "office", "garden", "kitchen", "daniel", "john", "mary", "sandra", "apple", "milk"];
const told = (state) => new Set(`${state.story} ${state.question}`.toLowerCase().match(/\p{L}+/gu) ?? []);

function planeOf(state, known) {
  const there = [...told(state)].filter((word) => known.includes(word));
  return [...new Set([...there, ...OTHERS])].slice(0, 60);
}

// Names beside their dots; those for which there is no room are said below, and shown where a pointer or the keyboard is.
function draw(body, plane, among) {
  const { state } = body, map = body.querySelector(".map"), wide = map.clientWidth;
  const moveTo = (word, [right, up]) => {
    const [x, y] = body.state.change.moved?.[shownTable]?.[word] ?? [0, 0];
    body.state.change = { ...body.state.change, among, moved: body.state.change.moved ?? {} };
    body.state.change.moved[shownTable] = { ...body.state.change.moved[shownTable], [word]: [x + right, y + up] };
    later(body.ask);
  };
  const placeOf = (word, at) => {
    const other = plane.words.indexOf(state.change.instead?.[word]), far = state.change.moved?.[shownTable]?.[word] ?? [0, 0];
    return plane.places[other < 0 ? at : other].map((value, axis) => value + far[axis]);
  };
  const free = (is) => {
    body.dragging = !is;
    if (is) later(body.ask);
  };
  const unnamed = drawPlane(map, { plane, told: told(state), placeOf, moveTo, free });
  body.querySelector(".crowded").textContent = unnamed.length ? `No room for the names of ${unnamed.join(", ")}: point at a dot ` +
    "without a name, or go to it by Tab." : "";
  body.watcher?.disconnect();
  body.watcher = new ResizeObserver(() => {
    if (!body.dragging && map.clientWidth && Math.abs(map.clientWidth - wide) > 1) draw(body, plane, among);
  });
  body.watcher.observe(map);
}
