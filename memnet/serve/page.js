// The page's own buttons: step through the hops, copy the link, save the picture.
function showHop(button) {
  const panel = button.closest(".panel"), hop = Number(button.dataset.step);
  for (const one of panel.querySelectorAll("[data-step]")) one.setAttribute("aria-pressed", one === button);
  for (const said of panel.querySelectorAll("[data-of]")) said.hidden = Number(said.dataset.of) !== hop;
  for (const cell of panel.querySelectorAll("[data-column]"))
    cell.classList.toggle("other", hop > 0 && Number(cell.dataset.column) !== hop);
  for (const line of panel.querySelectorAll("[data-reads]")) {
    const weights = line.dataset.reads.split(" ").map(Number);
    line.style.setProperty("--read", hop ? weights[hop - 1] : Math.max(...weights));
  }
}

async function copyLink(link) {
  history.replaceState(null, "", link.getAttribute("href"));
  try {
    await navigator.clipboard.writeText(location.href);
    link.textContent = "Copied";
  } catch {
    link.textContent = "The link is in the address bar";
  }
}

async function savePicture(button) {
  const drawn = await fetch("api/picture.svg", { method: "POST", body: button.closest(".save").dataset.request });
  if (!drawn.ok) return void (button.textContent = (await drawn.json()).error);
  const svg = URL.createObjectURL(await drawn.blob());
  if (button.dataset.save === "svg") return download(svg, "memnet.svg");
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    download(canvas.toDataURL(), "memnet.png");
  };
  image.src = svg;
}

function download(address, name) {
  const link = document.createElement("a");
  [link.href, link.download] = [address, name];
  link.click();
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  if (at("[data-step]")) showHop(at("[data-step]"));
  if (at("[data-save]")) savePicture(at("[data-save]"));
  if (at(".share")) {
    event.preventDefault();
    copyLink(at(".share"));
  }
});
addEventListener("hashchange", () => location.reload());
