"use strict";
// Shows and hides lines, switches scales, says the values under the pointer, sorts and saves tables.
const figures = document.querySelectorAll("figure.panel");
for (const figure of figures) {
  const chart = figure.querySelector(".chart");
  const data = JSON.parse(figure.querySelector(".data").textContent);
  const picked = figure.querySelector(".picked");
  const hidden = new Set();
  const tip = document.createElement("div");
  tip.className = "tip";
  tip.hidden = true;
  chart.append(tip);
  let at = -1;

  const shown = () => chart.querySelector("[data-scales]:not([hidden])");
  const places = () => data.places[shown().dataset.scales];
  const visible = (i) => !hidden.has(data.points[i].gid) && places()[i] !== null;

  const words = (point) => {
    const box = document.createElement("div");
    const add = (tag, text) => { const e = document.createElement(tag); e.textContent = text; box.append(e); };
    add("strong", point.series);
    add("span", `${data.y}: ${point.value}`);
    add("span", `${data.x}: ${point.x}; ${point.rests}`);
    add("span", point.cell);
    if (point.replay) add("code", point.replay);
    return box;
  };

  const mark = (i) => {
    chart.querySelectorAll(".pointer").forEach((ring) => ring.remove());
    tip.hidden = i < 0;
    at = i;
    if (i < 0) return;
    const svg = shown().querySelector("svg");
    const [x, y] = places()[i];
    const ring = document.createElementNS("http://www.w3.org/2000/svg", "circle");
    ring.setAttribute("cx", x);
    ring.setAttribute("cy", y);
    ring.setAttribute("r", 6);
    ring.setAttribute("class", "pointer");
    svg.append(ring);
    tip.replaceChildren(...words(data.points[i]).children);
    const seen = svg.getBoundingClientRect(), outer = chart.getBoundingClientRect();
    const scale = seen.width / svg.viewBox.baseVal.width;
    const left = seen.left - outer.left + x * scale;
    tip.style.left = `${Math.max(0, Math.min(left + 12, outer.width - tip.offsetWidth))}px`;
    tip.style.top = `${seen.top - outer.top + y * scale + 14}px`;
  };

  const nearest = (event) => {
    const svg = shown().querySelector("svg");
    const seen = svg.getBoundingClientRect();
    const scale = svg.viewBox.baseVal.width / seen.width;
    const x = (event.clientX - seen.left) * scale, y = (event.clientY - seen.top) * scale;
    let best = -1, least = 20 ** 2;
    places().forEach((place, i) => {
      if (!visible(i)) return;
      const d = (place[0] - x) ** 2 + (place[1] - y) ** 2;
      if (d < least) { least = d; best = i; }
    });
    return best;
  };

  const keep = () => {
    if (at < 0) return;
    picked.replaceChildren(words(data.points[at]));
    const replay = data.points[at].replay;
    if (replay && navigator.clipboard) navigator.clipboard.writeText(replay).catch(() => {});
  };

  chart.addEventListener("pointermove", (event) => mark(nearest(event)));
  chart.addEventListener("pointerleave", () => mark(-1));
  chart.addEventListener("click", (event) => { mark(nearest(event)); keep(); });
  chart.addEventListener("keydown", (event) => {
    const order = data.points.map((_, i) => i).filter(visible);
    const here = order.indexOf(at);
    const same = order.filter((i) => at < 0 || data.points[i].gid === data.points[at].gid);
    if (event.key === "ArrowRight") mark(order[Math.min(here + 1, order.length - 1)] ?? -1);
    else if (event.key === "ArrowLeft") mark(order[Math.max(here - 1, 0)] ?? -1);
    else if (event.key === "ArrowDown") mark(order.find((i) => i > same[same.length - 1]) ?? order[0] ?? -1);
    else if (event.key === "ArrowUp") mark([...order].reverse().find((i) => i < same[0]) ?? order[order.length - 1] ?? -1);
    else if (event.key === "Enter") keep();
    else if (event.key === "Escape") mark(-1);
    else return;
    event.preventDefault();
  });

  for (const box of figure.querySelectorAll("[data-line]"))
    box.addEventListener("change", () => {
      if (box.checked) hidden.delete(box.dataset.line); else hidden.add(box.dataset.line);
      for (const part of chart.querySelectorAll(`.${box.dataset.line}`)) part.style.display = box.checked ? "" : "none";
      mark(-1);
    });
  for (const box of figure.querySelectorAll("[data-axis]"))
    box.addEventListener("change", () => {
      const boxes = [...figure.querySelectorAll("[data-axis]")];
      const is = (axis) => { const b = boxes.find((c) => c.dataset.axis === axis); return b ? b.checked : data.log[axis]; };
      const wanted = ["x", "y"].map((axis) => (is(axis) ? "log" : "linear")).join(" ");
      for (const one of chart.querySelectorAll("[data-scales]")) one.hidden = one.dataset.scales !== wanted;
      mark(-1);
    });
  figure.querySelector(".save").addEventListener("click", (event) => {
    const quoted = (text) => (/[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text);
    const rows = [...figure.querySelectorAll("details table tr")].map((row) =>
      [...row.cells].map((cell) => quoted(cell.dataset.sort && cell.dataset.exact ? cell.dataset.sort : cell.textContent)).join(","));
    const link = document.createElement("a");
    link.href = URL.createObjectURL(new Blob([rows.join("\n") + "\n"], { type: "text/csv" }));
    link.download = event.target.dataset.name;
    link.click();
  });
}

for (const table of document.querySelectorAll("table.sorted"))
  table.querySelectorAll("thead th").forEach((head, column) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    head.setAttribute("aria-sort", "none");
    button.addEventListener("click", () => {
      const up = head.getAttribute("aria-sort") !== "ascending";
      const key = (row) => row.cells[column].dataset.sort ?? row.cells[column].textContent;
      const rows = [...table.tBodies[0].rows].sort((a, b) => {
        const [p, q] = [key(a), key(b)];
        const order = isNaN(p) || isNaN(q) ? p.localeCompare(q) : p - q;
        return up ? order : -order;
      });
      for (const other of table.querySelectorAll("thead th")) other.setAttribute("aria-sort", "none");
      head.setAttribute("aria-sort", up ? "ascending" : "descending");
      table.tBodies[0].append(...rows);
    });
  });

for (const code of document.querySelectorAll("code.command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    await navigator.clipboard.writeText(code.textContent);
    button.textContent = "copied";
  });
  code.after(button);
}
