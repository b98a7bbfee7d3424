"""A report is one file that works without network; in Chromium, where there is one."""

import os
import re
import shutil
import subprocess
import xml.etree.ElementTree as ElementTree

import pytest
import crx
import crx._report as pages

from a_document import document
from crx._schedule import played_of_json

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")


@pytest.fixture
def page(monkeypatch):
    monkeypatch.setattr(pages, "document_of", lambda *_, **__: document())
    monkeypatch.setattr(pages, "_schedules", lambda *_: [])
    return crx.report("made_up.db")


def test_everything_is_on_the_page(page):
    for text in (
        "Made up &lt;b&gt;",
        "law two-point (lower = 1, upper = 40)",
        "<i>n</i> = 20, <i>M</i> = 50; 80 instances in 8 cells.",
        "crx replay made_up.db --cell 2 --instance 3 --policy a-max",
        "12.5 % below",
        "2 of 8",
        "exponent -0.90 ± 0.02",
        "C-5.2",
        "a &lt; b If: prompts 0",
        "name = &#34;made_up&#34;",
        "crx sweep made_up.toml",
    ):
        assert text in page, text
    assert "<b>" not in page
    assert crx.report("made_up.db") == page


def test_capacity_has_a_row_a_policy(monkeypatch):
    names = [p["label"] for p in document()["policies"]]
    rows = [{"policy": n, "holds_up_to": 0.75, "fails_from": 0.8, "surely_holds_up_to": 0.7, "surely_fails_from": None} for n in names]
    table = {"sweep": "load", "over": "offered_load", "coordinates": {"cv": 3}, "share": 0.99, "confidence": 0.95, "policies": rows}
    monkeypatch.setattr(pages, "document_of", lambda *_, **__: document(capacity=[table]))
    monkeypatch.setattr(pages, "_schedules", lambda *_: [])
    page = crx.report("made_up.db")
    assert "Sweep load, cv = 3: offered_load at which 99 % of requests keep the objective" in page
    assert page.count("0.7 to ?") == len(names) and "95 % interval" in page
    assert page.index('id="s0-policies"') < page.index('id="s0-capacity"') < page.index('id="s0-worst"')


def test_nothing_is_loaded(page):
    assert not re.search(r'(src|href)="(?!#|data:)', page)
    assert "http:" not in re.sub(r"http://www\.w3\.org/\S+", "", page)


def test_the_pictures_are_whole(page):
    pictures = re.findall(r"<svg .*?</svg>", page, flags=re.S)
    big = [p for p in pictures if "viewBox" in p and len(p) > 2000]
    assert len(big) == 8  # two panels on four pairs of scales
    for picture in big:
        ElementTree.fromstring(picture)
        used = set(re.findall(r'(?:href="#|url\(#)([^")]+)', picture))
        assert used <= set(re.findall(r'id="([^"]+)"', picture))
    ids = re.findall(r' id="([^"]+)"', page)
    assert len(ids) == len(set(ids))
    assert 'class="line0"' in big[0] and 'class="line2"' in big[0]


def test_schedules_end_by_a_count_not_by_the_clock(monkeypatch):
    def runs(store, cell, instance, policies):
        n = 60_000 if cell < 3 else 10
        requests = [{"arrival": 0, "prompt": 1, "output": 1 + i % 7, "attempts": [[i, i + 1, "completed"]]} for i in range(n)]
        return [played_of_json({"policy": "mc-sf", "memory": 9, "total_latency": n, "requests": requests})]

    monkeypatch.setattr(pages, "runs_of_cell", runs)
    worst = [document()["worst"][0] | {"cell": cell} for cell in range(5)]
    worst[1]["requests"] = 200_001
    monkeypatch.setattr(pages, "document_of", lambda *_, **__: document(worst=worst))
    page = crx.report("made_up.db", worst=9)
    titles = re.findall(r"a-max: 3.2 in cell (\d)", page)
    assert titles == ["0", "2"]  # 1 is too large; with 2 there are more than 100,000
    assert crx.report("made_up.db", worst=9) == page


def test_a_name_that_is_no_page(tmp_path):
    with pytest.raises(crx.ConfigError, match="ends in .html"):
        crx.report("made_up.db", tmp_path / "a.txt")


SCRIPT = """
<script>
const said = [];
const figure = document.querySelector("figure.panel");
const shown = () => figure.querySelector("[data-scales]:not([hidden])");
said.push(shown().dataset.scales);
figure.querySelector("[data-axis=y]").click();
said.push(shown().dataset.scales);
figure.querySelector("[data-line=line0]").click();
said.push([...shown().querySelectorAll(".line0")].every((part) => part.style.display === "none"));
const chart = figure.querySelector(".chart");
chart.dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowRight" }));
said.push(figure.querySelector(".tip").textContent);
const svg = shown().querySelector("svg"), box = svg.getBoundingClientRect();
const data = JSON.parse(figure.querySelector(".data").textContent);
const [x, y] = data.places[shown().dataset.scales][10], scale = box.width / svg.viewBox.baseVal.width;
chart.dispatchEvent(new PointerEvent("pointermove", { clientX: box.left + x * scale, clientY: box.top + y * scale }));
said.push(figure.querySelector(".tip strong").textContent + " " + figure.querySelector(".tip").hidden);
const head = document.querySelector("table.sorted th button");
head.click();
said.push(head.parentNode.getAttribute("aria-sort"));
said.push(document.documentElement.scrollWidth <= window.innerWidth);
document.body.setAttribute("data-said", said.join("|"));
</script>
"""


@pytest.mark.skipif(CHROMIUM is None, reason="there is no Chromium")
@pytest.mark.parametrize("width", [1100, 500])
def test_in_a_browser(page, tmp_path, width):
    file = tmp_path / "page.html"
    file.write_text(page.replace("</body>", SCRIPT + "</body>"))
    command = [CHROMIUM, "--headless", "--no-sandbox", "--disable-gpu", "--disable-background-networking", "--no-first-run"]
    command += ["--host-resolver-rules=MAP * ~NOTFOUND", f"--user-data-dir={tmp_path}/profile", f"--window-size={width},900"]
    screenshots = os.environ.get("CRX_SCREENSHOTS")
    if screenshots:
        shot = f"--screenshot={screenshots}/page_{width}.png"
        subprocess.run([*command, shot, file.as_uri()], capture_output=True, check=True, timeout=120)
    done = subprocess.run([*command, "--dump-dom", file.as_uri()], capture_output=True, text=True, check=True, timeout=120)
    said = re.search(r'data-said="([^"]*)"', done.stdout)
    assert said, done.stdout[-2000:]
    scales, changed, hidden, tip, pointed, sorted_by, fits = said[1].split("|")
    assert (scales, changed, hidden) == ("log log", "log linear", "true")
    assert tip.startswith("mine") and "crx replay made_up.db --cell 0 --instance 3" in tip
    assert pointed == "mine false"
    assert sorted_by == "ascending"
    assert fits == "true"
