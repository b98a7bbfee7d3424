// Opens a page of crx report in Chromium and does what a reader does. Prints a line for each thing that is not as it
// should be, and ends with 1 then. Run as: node browser.js PAGE [FOLDER], which gets screenshots.
'use strict';
const path = require('path');
const { pathToFileURL } = require('url');
const { chromium } = require('playwright-core');

const page_file = path.resolve(process.argv[2]);
const folder = process.argv[3];
let failures = 0;
function expect(holds, what) {
  if (holds) return;
  ++failures;
  console.log('FAILED: ' + what);
}

// The page as a reader's window shows it, with what it asked of the network and what it complained of.
async function open(browser, options) {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  const seen = { requests: [], complaints: [] };
  page.on('request', (r) => { if (!/^(file|data|blob):/.test(r.url())) seen.requests.push(r.url()); });
  page.on('console', (m) => { if (['error', 'warning'].includes(m.type())) seen.complaints.push(m.text()); });
  page.on('pageerror', (e) => seen.complaints.push(String(e)));
  page.on('dialog', async (d) => { seen.complaints.push('a dialog: ' + d.message()); await d.dismiss(); });
  await page.goto(pathToFileURL(page_file).href);
  if (options.javaScriptEnabled !== false)
    await page.waitForSelector('html[data-drawn=yes]', { timeout: 60000 });
  return { page, context, seen };
}

function expectQuiet(seen, where) {
  expect(seen.requests.length === 0, `${where}: asked the network for ${seen.requests.join(', ')}`);
  expect(seen.complaints.length === 0, `${where}: complained: ${seen.complaints.join(' | ')}`);
}

const shot = async (page, name, full = true) => {
  if (folder) await page.screenshot({ path: path.join(folder, name + '.png'), fullPage: full });
};

// The symbols of measured points that are drawn in a figure.
const symbols = (figure) =>
  figure.locator('.chart svg .mark-symbol[role=graphics-object], .chart svg g.mark-symbol').locator('path');

async function seeDesktop(browser) {
  const { page, context, seen } = await open(browser, { viewport: { width: 1280, height: 900 },
    permissions: ['clipboard-read', 'clipboard-write'] });
  const figures = page.locator('figure.panel');
  expect((await figures.count()) > 0, 'there is no panel');
  const figure = figures.first();
  await figure.scrollIntoViewIfNeeded();
  expect(await figure.locator('.chart svg').isVisible(), 'the first panel has no chart');
  expect(!(await figure.locator('.printed').isVisible()), 'the figure for print is shown beside the chart unasked');
  await shot(page, 'desktop');

  // Hover: every fact of the point.
  const before = await symbols(figure).count();
  expect(before > 0, 'no point is drawn');
  await symbols(figure).last().hover();
  const tip = page.locator('.tip:not([hidden])');
  await tip.waitFor({ timeout: 5000 });
  const said = await tip.innerText();
  for (const part of [/cell \d+/, /\d+ instance/, /crx replay .* --cell \d+ --instance \d+ --policy /])
    expect(part.test(said), `the hover text lacks ${part}: ${said}`);
  await shot(page, 'hover', false);

  // A click keeps the point, and its command can be copied and is in the table.
  await symbols(figure).last().click();
  const kept = await figure.locator('.picked code').innerText();
  expect(said.includes(kept), `the kept command is another one: ${kept}`);
  await figure.locator('.picked button.copy').click();
  const copied = await page.evaluate(() => navigator.clipboard.readText());
  expect(copied === kept, `what is copied is not the command: ${copied}`);
  const commands = await figure.locator('table code.command').allTextContents();
  expect(commands.includes(kept), 'the table does not have the command');

  // The key hides a series and shows it again.
  const box = figure.locator('.key input[data-line^=s]').first();
  await box.uncheck();
  await page.waitForTimeout(300);
  const fewer = await symbols(figure).count();
  expect(fewer < before, `hiding a series leaves ${fewer} of ${before} symbols`);
  await box.check();
  await page.waitForTimeout(300);
  expect((await symbols(figure).count()) >= before, 'showing a series again does not bring it back');

  // A logarithmic axis can be switched on and off.
  const log = figure.locator('.controls input:not([disabled])').first();
  const was = await log.isChecked();
  const path_before = await figure.locator('.chart svg').innerHTML();
  await log.setChecked(!was);
  await page.waitForTimeout(500);
  expect((await figure.locator('.chart svg').innerHTML()) !== path_before, 'another scale draws the same chart');
  await log.setChecked(was);
  await page.waitForTimeout(300);

  // The keyboard goes from point to point.
  await figure.locator('.chart').focus();
  await page.keyboard.press('ArrowRight');
  const first = await figure.locator('.picked').innerText();
  await page.keyboard.press('ArrowRight');
  expect((await figure.locator('.picked').innerText()) !== first, 'an arrow key does not go on to the next point');

  // A table sorts both ways.
  const table = page.locator('h3[id$=policies] ~ .wide table, h3[id$=policies] ~ p + .wide table').first();
  const column = () => table.locator('tbody tr > :nth-child(3)').allTextContents();
  const button = table.locator('thead th:nth-child(3) button');
  await button.click();
  const up = await column();
  await button.click();
  const down = await column();
  expect(JSON.stringify(up) === JSON.stringify([...down].reverse()) || new Set(up).size < up.length,
    `sorting down is not sorting up in reverse: ${up} and ${down}`);
  expect((await table.locator('th[aria-sort=descending]').count()) === 1, 'no column says that it is sorted');

  // Every picture, also those for print, is drawn.
  await figure.locator('.controls input').last().check();
  const broken = await page.evaluate(() =>
    [...document.querySelectorAll('img')].filter((i) => i.getClientRects().length > 0 && i.naturalWidth === 0).length);
  expect(broken === 0, `${broken} pictures are broken`);
  const ids = await page.evaluate(() => [...document.querySelectorAll('[id]')].map((e) => e.id));
  expect(new Set(ids).size === ids.length, 'two elements have one id');
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide <= 0, `the page is ${wide} pixels too wide`);
  expectQuiet(seen, 'desktop');
  if (folder) await page.pdf({ path: path.join(folder, 'print.pdf'), format: 'A4' });
  await context.close();
}

async function seePhone(browser) {
  const { page, context, seen } = await open(browser, { viewport: { width: 390, height: 844 }, isMobile: true,
    hasTouch: true, deviceScaleFactor: 2 });
  const wide = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  expect(wide <= 0, `phone: the page is ${wide} pixels too wide`);
  await shot(page, 'phone', false);
  await page.locator('figure.panel').first().scrollIntoViewIfNeeded();
  await symbols(page.locator('figure.panel').first()).last().tap();
  expect(await page.locator('figure.panel .picked code').first().isVisible(), 'phone: a tap does not keep the point');
  await page.locator('figure.panel').first().scrollIntoViewIfNeeded();
  await shot(page, 'phone-panel', false);
  expectQuiet(seen, 'phone');
  await context.close();
}

async function seeWithoutScripts(browser) {
  const { page, context, seen } = await open(browser, { viewport: { width: 1000, height: 800 }, javaScriptEnabled: false });
  expect(await page.locator('figure.panel .printed img').first().isVisible(), 'without scripts there is no figure');
  expect(!(await page.locator('figure.panel .interactive').first().isVisible()), 'without scripts there are dead controls');
  expectQuiet(seen, 'without scripts');
  await shot(page, 'without-scripts', false);
  await context.close();
}

(async () => {
  const browser = await chromium.launch({ executablePath: process.env.CRX_CHROMIUM || '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'] });
  try {
    await seeDesktop(browser);
    await seePhone(browser);
    await seeWithoutScripts(browser);
  } finally {
    await browser.close();
  }
  console.log(failures === 0 ? 'the page is as it should be' : `${failures} things are wrong`);
  process.exitCode = failures === 0 ? 0 : 1;
})().catch((error) => {
  console.log('FAILED: ' + error);
  process.exitCode = 1;
});
