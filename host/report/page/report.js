// What a page of crx report does beside showing what is in it: charts, sorting, copying.
(() => {
  'use strict';

  const element = (name, text, attributes = {}) => {
    const made = document.createElement(name);
    if (text !== undefined) made.textContent = text;
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // ---- copying ----

  async function copy(text) {
    try {
      await navigator.clipboard.writeText(text);
      return true;
    } catch {
      const field = element('textarea');
      field.value = text;
      document.body.append(field);
      field.select();
      const done = document.execCommand('copy');
      field.remove();
      return done;
    }
  }

  function copyButton(text) {
    const button = element('button', 'Copy', { type: 'button', class: 'copy', 'aria-label': 'Copy: ' + text });
    button.addEventListener('click', async () => {
      button.textContent = (await copy(text)) ? 'Copied' : 'Not copied';
      setTimeout(() => { button.textContent = 'Copy'; }, 1500);
    });
    return button;
  }

  for (const code of document.querySelectorAll('code.command')) code.after(copyButton(code.textContent));

  // ---- tables that sort ----

  const keyOf = (row, column) => {
    const cell = row.cells[column];
    return cell.dataset.sort === undefined ? cell.textContent : Number(cell.dataset.sort);
  };

  function sortBy(table, column, direction) {
    const rows = [...table.tBodies[0].rows];
    rows.sort((a, b) => {
      const x = keyOf(a, column), y = keyOf(b, column);
      if (typeof x !== typeof y) return typeof x === 'number' ? -1 : 1; // what has no number stands last
      return direction * (typeof x === 'number' ? x - y : x.localeCompare(y, 'en', { numeric: true }));
    });
    table.tBodies[0].append(...rows);
    [...table.tHead.rows[0].cells].forEach((head, i) => {
      head.setAttribute('aria-sort', i !== column ? 'none' : direction > 0 ? 'ascending' : 'descending');
    });
  }

  for (const table of document.querySelectorAll('table.sortable')) {
    [...table.tHead.rows[0].cells].forEach((head, column) => {
      const button = element('button', undefined, { type: 'button' });
      button.append(...head.childNodes);
      head.append(button);
      head.setAttribute('aria-sort', 'none');
      button.addEventListener('click', () =>
        sortBy(table, column, head.getAttribute('aria-sort') === 'ascending' ? -1 : 1));
    });
  }

  // ---- charts ----

  // A number as people write it: seven digits at most.
  const shown = (value) => (value === null || value === undefined ? '–' : String(Number(value.toPrecision(6))));

  // The lines of text that are said of a point.
  function facts(chart, point) {
    const interval = point.lo === null || point.hi === null ? '' : ` [${shown(point.lo)}, ${shown(point.hi)}]`;
    let runs = `${point.n} instance${point.n === 1 ? '' : 's'}`;
    if (point.unfinished) runs += `, ${point.unfinished} unfinished`;
    if (point.undivided) runs += `, ${point.undivided} without denominator`;
    return {
      name: chart.names[point.s],
      lines: [`${chart.x}: ${shown(point.x)}`, `${chart.y}: ${shown(point.y)}${interval}`,
        `cell ${point.cell}${point.at ? ` (${point.at})` : ''}`, runs],
      replay: point.replay,
    };
  }

  // The specification with the scales that are asked for; a logarithmic one leaves out what is not positive.
  function withScales(chart, logarithmic) {
    const spec = structuredClone(chart.spec);
    for (const name of ['x', 'y']) {
      const log = logarithmic[name];
      const ends = log ? chart.axes[name].logarithmic : chart.axes[name].linear;
      for (const layer of spec.layer) {
        layer.encoding[name].scale = log ? { type: 'log', domain: ends, nice: false }
          : { type: 'linear', domain: ends, nice: false, zero: false };
        layer.encoding[name].axis = { grid: true, labelOverlap: 'greedy' };
        if (!log) continue;
        layer.transform.push({ filter: `datum.${name} === null || datum.${name} > 0` });
        if (name === 'y')
          layer.transform.push({ calculate: `datum.lo > 0 ? datum.lo : ${ends[0]}`, as: 'floor' });
        if (layer.encoding[name].field === 'lo') layer.encoding[name].field = 'floor';
      }
    }
    spec.config = {
      background: 'transparent',
      axis: { labelFontSize: 12, titleFontSize: 13, titleFontWeight: 'normal', gridColor: '#e6e6e6' },
      view: { stroke: '#999' },
      font: 'system-ui, "Liberation Sans", Arial, sans-serif',
    };
    return spec;
  }

  const svgName = (name, attributes) => {
    const made = document.createElementNS('http://www.w3.org/2000/svg', name);
    for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
    return made;
  };

  // The sample of a line of the key, with the chart's own symbol, dashes and colour.
  function drawSample(span, chart, line) {
    const of = (encoding) => encoding.scale.range[encoding.scale.domain.indexOf(line)];
    const symbols = chart.spec.layer.find((l) => l.encoding.shape).encoding;
    const svg = svgName('svg', { width: 34, height: 14, viewBox: '0 0 34 14', 'aria-hidden': 'true' });
    const dashes = chart.spec.layer.find((l) => l.encoding.strokeDash).encoding;
    if (line[0] === 'c' || chart.joined.includes(line))
      svg.append(svgName('line', { x1: 0, x2: 34, y1: 7, y2: 7, stroke: of(dashes.stroke), 'stroke-width': 1.8,
        'stroke-dasharray': of(dashes.strokeDash).join(' ') }));
    if (line[0] === 's') {
      const symbol = svgName('path', { transform: 'translate(17,7)', fill: of(symbols.fill),
        stroke: of(symbols.stroke), 'stroke-width': 1.4 });
      vega.Marks.symbol.attr((key, value) => { if (key === 'd') symbol.setAttribute('d', value); },
        { shape: of(symbols.shape), size: 60 });
      svg.append(symbol);
    }
    span.replaceChildren(svg);
  }

  class Chart {
    constructor(figure) {
      this.figure = figure;
      this.data = JSON.parse(figure.querySelector('script.data').textContent);
      this.box = figure.querySelector('.interactive');
      this.place = figure.querySelector('.chart');
      this.details = figure.querySelector('.picked');
      this.hidden = new Set();
      this.picked = -1;
      this.points = this.data.spec.datasets.points;
      this.logarithmic = { x: this.data.axes.x.log, y: this.data.axes.y.log };
      this.tip = element('div', undefined, { class: 'tip', role: 'tooltip', hidden: '' });
      document.body.append(this.tip);
    }

    async start() {
      this.box.hidden = false;
      this.addControls();
      this.addKey();
      this.place.addEventListener('keydown', (event) => this.onKey(event));
      await this.draw();
      this.figure.classList.add('drawn');
    }

    addControls() {
      const controls = this.figure.querySelector('.controls');
      const add = (text, checked, disabled, change) => {
        const label = element('label');
        const box = element('input', undefined, { type: 'checkbox' });
        box.checked = checked;
        box.disabled = disabled;
        box.addEventListener('change', () => change(box.checked));
        label.append(box, text);
        controls.append(label);
      };
      for (const name of ['x', 'y'])
        add(`logarithmic ${name} axis`, this.logarithmic[name], this.data.axes[name].logarithmic === null,
          (on) => { this.logarithmic[name] = on; this.draw(); });
      add('figure for print', false, false, (on) => this.figure.classList.toggle('both', on));
    }

    addKey() {
      for (const box of this.figure.querySelectorAll('.key input')) {
        const line = box.dataset.line;
        drawSample(box.parentElement.querySelector('.sample'), this.data, line);
        box.addEventListener('change', () => {
          if (box.checked) this.hidden.delete(line);
          else this.hidden.add(line);
          this.view.signal('hidden', [...this.hidden]).runAsync();
        });
      }
    }

    async draw() {
      const made = await vegaEmbed(this.place, withScales(this.data, this.logarithmic), {
        mode: 'vega-lite', renderer: 'svg', actions: false, ast: true,
        tooltip: (handler, event, item) => this.onHover(event, item),
      });
      this.view = made.view;
      this.view.signal('hidden', [...this.hidden]).signal('picked', this.picked);
      this.view.addEventListener('click', (event, item) => {
        if (item && item.datum && item.datum.replay) this.pick(item.datum.id);
      });
      await this.view.runAsync();
    }

    onHover(event, item) {
      const point = item && item.datum && item.datum.replay ? item.datum : null;
      this.tip.hidden = point === null;
      if (point === null) return;
      const said = facts(this.data, point);
      this.tip.replaceChildren(element('strong', said.name), ...said.lines.map((l) => element('span', l)),
        element('code', said.replay), element('span', 'A click keeps this below, to copy.'));
      const width = document.documentElement.clientWidth;
      const left = Math.min(event.pageX + 14, window.scrollX + width - this.tip.offsetWidth - 8);
      this.tip.style.left = Math.max(window.scrollX + 8, left) + 'px';
      const below = event.clientY + this.tip.offsetHeight + 24 < window.innerHeight;
      this.tip.style.top = (below ? event.pageY + 14 : event.pageY - this.tip.offsetHeight - 10) + 'px';
    }

    pick(id) {
      this.picked = id;
      this.view.signal('picked', id).runAsync();
      const point = this.points[id];
      const said = facts(this.data, point);
      const line = element('div', `${said.name}; ${said.lines.join('; ')}. `);
      const code = element('code', said.replay);
      this.details.replaceChildren(line, code, copyButton(said.replay));
    }

    // Arrow keys: left and right along a series, up and down from series to series.
    onKey(event) {
      const step = { ArrowLeft: -1, ArrowRight: 1, ArrowUp: -1, ArrowDown: 1 }[event.key];
      if (event.key === 'Enter' && this.picked >= 0) copy(this.points[this.picked].replay);
      if (event.key === 'Escape') this.tip.hidden = true;
      if (step === undefined) return;
      event.preventDefault();
      const seen = this.points.filter((p) => !this.hidden.has(p.s));
      if (seen.length === 0) return;
      const at = seen.findIndex((p) => p.id === this.picked);
      if (at < 0) return this.pick(seen[0].id);
      if (event.key === 'ArrowLeft' || event.key === 'ArrowRight')
        return this.pick(seen[(at + step + seen.length) % seen.length].id);
      const series = [...new Set(seen.map((p) => p.s))];
      const next = series[(series.indexOf(seen[at].s) + step + series.length) % series.length];
      const others = seen.filter((p) => p.s === next);
      const distance = (p) => Math.abs(p.x - seen[at].x);
      this.pick(others.reduce((best, p) => (distance(p) < distance(best) ? p : best)).id);
    }
  }

  async function drawAll() {
    for (const figure of document.querySelectorAll('figure.panel')) {
      const chart = new Chart(figure);
      try {
        await chart.start();
      } catch (error) {
        chart.box.hidden = true; // the figure for print stays
        console.error(error);
      }
    }
    document.documentElement.dataset.drawn = 'yes';
  }

  if (window.vegaEmbed) drawAll();
})();
