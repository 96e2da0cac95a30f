// The page: what is asked stands in `state`; every change asks the page's own Python again.
import { drawLab } from "./lab.js";

const at = (id) => document.getElementById(id);
const state = { network: "", story: "", question: "", struck: new Set(), example: null, change: {}, known: {} };
let worker, number = 0, newest = 0, ready = false;
const waiting = new Map();

export function call(asked) {
  return new Promise((done) => {
    waiting.set(++number, done);
    worker.postMessage({ id: number, asked });
  });
}

function begin() {
  worker = new Worker(new URL("worker.js", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if (data.failed) return say(`Python did not start: ${data.failed}`);
    if (data.ready) return void (ready = true);
    waiting.get(data.id)(data);
    waiting.delete(data.id);
  };
  worker.onerror = () => say("Python did not start: this browser may be too old.");
}

const say = (text) => (at("status").textContent = text);

function request() {
  const { network, story, question, example, change } = state;
  return { do: "ask", network, story, question, example, change, struck: [...state.struck] };
}

// Only the newest question is asked: what was typed or dragged meanwhile is passed over.
async function ask() {
  const mine = ++newest;
  at("answer").classList.add("stale");
  say(ready ? "" : "Python is starting in this page ...");
  if (asking) return void (again = true);
  asking = true;
  const { value, ms } = await call(request());
  asking = false;
  if (again) return void ((again = false), ask());
  if (mine !== newest) return;
  show(value);
  say(value.error ? "" : `Answered in ${ms < 1 ? "less than 1" : Math.round(ms)} ms, in this page.`);
}
let asking = false, again = false;

function show(value) {
  const answer = at("answer"), hop = answer.querySelector("[data-step][aria-pressed=true]")?.dataset.step;
  answer.classList.remove("stale");
  answer.replaceChildren();
  const asked = document.createElement("p");
  [asked.className, asked.textContent] = ["asked", state.question];
  answer.append(asked);
  if (value.error) {
    const refused = document.createElement("p");
    [refused.className, refused.textContent] = ["refused", value.error];
    answer.append(refused);
  } else {
    answer.insertAdjacentHTML("beforeend", value.html);
    for (const row of answer.querySelectorAll("tr.line")) strikeable(row);
    for (const head of answer.querySelectorAll("thead tr")) head.append(document.createElement("th"));
    answer.append(shareLink());
    if (hop > 0) answer.querySelector(`[data-step="${hop}"]`)?.click();
  }
  at("lab").hidden = !value.apart;
  if (value.apart) drawLab(at("lab"), state, value, ask, call);
}

function strikeable(row) {
  const cell = row.insertCell(), line = Number(row.querySelector(".number").textContent);
  cell.className = "strike";
  if (!line) return;
  const struck = state.struck.has(line), button = document.createElement("button");
  row.classList.toggle("struck", struck);
  [button.type, button.textContent] = ["button", struck ? "\u21a9" : "\u2715"];
  button.title = struck ? "Tell it again" : "Strike this sentence out";
  button.setAttribute("aria-label", `${button.title}: sentence ${line}`);
  button.addEventListener("click", () => {
    if (!state.struck.delete(line)) state.struck.add(line);
    ask();
  });
  cell.append(button);
}

function shareLink() {
  const part = document.createElement("p"), link = document.createElement("a"), { network, story, question } = state;
  link.className = "share";
  link.href = "#" + new URLSearchParams({ first: network, story, question });
  link.textContent = "Copy a link to this story and question";
  part.append(link);
  return part;
}

function tell(story, question, example = null, predict = "") {
  Object.assign(state, { story, question, example, struck: new Set(), change: {} });
  [at("story").value, at("question").value, at("predict").textContent] = [story, question, predict];
}

function fill(select, choices) {
  select.replaceChildren(...choices.map(([label, value]) => new Option(label, value)));
}

async function open(name, tasks = true) {
  [state.network, at("network").value, state.change] = [name, name, {}];
  const { value } = await call({ do: "open", network: name });
  if (value.error) return say(value.error);
  state.known[name] = value;
  if (tasks && state.network === name) fill(at("task"), value.tasks);
}

function wire(about) {
  const networks = Object.entries(about.networks).map(([name, label]) => [`${label} (${name})`, name]);
  fill(at("network"), networks);
  fill(at("stories"), [...about.stories.map((story, place) => [story.title, place]), ["your own, or one of a task", ""]]);
  at("stories").addEventListener("change", () => {
    const story = about.stories[at("stories").value];
    if (!story) return;
    tell(story.story.trim(), story.question, null, story.predict);
    if (story.network !== state.network) open(story.network);
    ask();
  });
  at("network").addEventListener("change", () => (open(at("network").value), ask()));
  const another = async () => {
    const seed = Math.floor(Math.random() * 1e6), task = at("task").value;
    const { value } = await call({ do: "example", network: state.network, task, seed });
    tell(value.statements.join("\n"), value.question, value);
    at("stories").value = "";
    ask();
  };
  at("another").addEventListener("click", another);
  at("task").addEventListener("change", another);
  const typed = () => {
    Object.assign(state, { story: at("story").value, question: at("question").value, example: null, struck: new Set() });
    state.change.moved = {};
    [at("stories").value, at("predict").textContent] = ["", ""];
    ask();
  };
  at("story").addEventListener("input", typed);
  at("question").addEventListener("input", typed);
  at("ask").addEventListener("submit", (event) => (event.preventDefault(), ask()));
}

// The film is as high as its content; it does not shrink as it plays, lest the page jump.
function fit(frame) {
  let wide = 0, high = 0;
  const body = frame.contentDocument?.body;
  if (!body) return;
  new frame.contentWindow.ResizeObserver(() => {
    if (frame.clientWidth !== wide) [wide, high] = [frame.clientWidth, 0];
    high = Math.max(high, Math.ceil(body.offsetHeight));
    frame.style.height = `${high}px`;
  }).observe(body);
}

async function main() {
  const response = await fetch(new URL("python/about.json", import.meta.url)).catch(() => null);
  if (!response?.ok) return void (at("absent").hidden = false);
  begin();
  const about = await response.json(), { asked, answered, title } = about.first;
  document.querySelector("#film iframe").addEventListener("load", ({ target }) => fit(target));
  document.querySelector("main").hidden = false;
  wire(about);
  const link = Object.fromEntries(new URLSearchParams(location.hash.slice(1)));
  if (link.story || link.question) {
    at("stories").value = "";
    tell(link.story ?? "", link.question ?? "");
    open(link.first in about.networks ? link.first : asked.network);
  } else {
    const story = about.stories.findIndex((one) => one.title === title);
    at("stories").value = story;
    tell(asked.story, asked.question, null, about.stories[story].predict);
    open(asked.network);
    show(answered);  // what memnet answered when the page was made; the page's own Python answers again below
  }
  ask();
}
main();
