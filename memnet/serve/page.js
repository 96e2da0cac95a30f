// The page's own buttons: step through the hops, copy the link, save the picture as PNG.
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

function savePng(svg) {
  const image = new Image();
  image.onload = () => {
    const canvas = document.createElement("canvas"), link = document.createElement("a");
    [canvas.width, canvas.height] = [2 * image.width, 2 * image.height];
    canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
    link.download = "memnet.png";
    link.href = canvas.toDataURL();
    link.click();
  };
  image.src = svg;
}

document.addEventListener("click", (event) => {
  const at = (selector) => event.target.closest?.(selector);
  if (at("[data-step]")) showHop(at("[data-step]"));
  if (at("[data-png]")) savePng(at(".save").querySelector("a").href);
  if (at(".share")) {
    event.preventDefault();
    copyLink(at(".share"));
  }
});
addEventListener("hashchange", () => location.reload());
