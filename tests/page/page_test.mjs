// Opens the reports that page_samples writes in a real browser. Arguments: the folder of the reports and the browser.
import assert from 'node:assert/strict';
import { readFileSync, statSync } from 'node:fs';
import { createRequire } from 'node:module';
import { after, before, test } from 'node:test';
import { inflateSync } from 'node:zlib';

const require = createRequire(`${process.env.ASSAY_NPM_PACKAGES}/`);
const { chromium } = require('playwright-core');
const axe = readFileSync(require.resolve('axe-core/axe.min.js'), 'utf8');
const { ASSAY_PAGE_SAMPLES: folder, ASSAY_CHROMIUM: executablePath } = process.env;
const views = ['errors', 'graph', 'tensors', 'reduction'];
let browser;

before(async () => {
  // A container has no user namespaces, which the browser's sandbox needs.
  browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] });
});
after(() => browser?.close());

// Opens a report; the returned list collects errors and requests.
async function open(name, options = {}, link = '') {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 }, ...options });
  page.setDefaultTimeout(120000); // the machine may be busy
  const complaints = [];
  page.on('console', (message) => ['error', 'warning'].includes(message.type()) && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(String(error)));
  page.on('request', (request) => {
    const address = request.url();
    if (!address.startsWith(`file://${folder}/${name}`) && !address.startsWith('blob:')) {
      complaints.push(`request ${address}`);
    }
  });
  page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
  await page.goto(`file://${folder}/${name}${link}`);
  if (options.javaScriptEnabled !== false) {
    await page.waitForFunction(() => document.documentElement.dataset.ready);
  }
  return { page, complaints };
}

// Waits until the selection panel shows a title that contains a text.
const selected = (page, text) =>
  page.waitForFunction((wanted) => document.querySelector('aside:not([hidden]) h2')?.textContent.includes(wanted), text);

test('long names make no table wider than the page', async () => {
  for (const width of [1300, 700]) {
    const { page } = await open('hostile.html', { viewport: { width, height: 844 } });
    const tables = await page
      .locator('.scroll')
      .evaluateAll((all) => all.map(({ scrollWidth, clientWidth }) => ({ scrollWidth, clientWidth })));
    assert.ok(tables.length > 0);
    for (const { scrollWidth, clientWidth } of tables) assert.ok(scrollWidth <= clientWidth, `${width}: ${scrollWidth}`);
    await page.close();
  }
});

for (const colorScheme of ['light', 'dark']) {
  for (const width of [1280, 390]) {
    test(`every view opens: ${colorScheme}, ${width} pixels`, async () => {
      const { page, complaints } = await open('small.html', { colorScheme, viewport: { width, height: 844 } });
      for (const view of views) {
        assert.ok(await page.locator(`#${view} .view > *`).first().isVisible(), view);
      }
      // What was drawn has more than one colour.
      for (const canvas of ['#errors canvas', '#graph canvas.graph', '#reduction canvas']) {
        const colours = await page.locator(canvas).evaluate((element) => {
          const { data } = element.getContext('2d').getImageData(0, 0, element.width, element.height);
          return new Set(new Uint32Array(data.buffer)).size;
        });
        assert.ok(colours > 5, `${canvas}: ${colours}`);
      }
      assert.match(await page.locator('.rows').innerText(), /Softmax|Gather/);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      assert.ok(overflow <= 0, `the page is ${overflow} pixels too wide`);
      assert.deepEqual(complaints, []);
      await page.close();
    });

    test(`nothing serious for axe: ${colorScheme}, ${width} pixels`, async () => {
      const { page } = await open('small.html', { colorScheme, viewport: { width, height: 844 } });
      await page.getByRole('button', { name: 'First born' }).click();
      await selected(page, 'Softmax');
      const context = await page.context().newCDPSession(page);
      await context.send('Runtime.evaluate', { expression: axe });
      const { violations } = await page.evaluate(() => window.axe.run());
      const serious = violations.filter(({ impact }) => ['serious', 'critical'].includes(impact));
      assert.deepEqual(serious.map(({ id, nodes }) => [id, nodes.slice(0, 3).map(({ html }) => html.slice(0, 150))]), []);
      await page.close();
    });
  }
}

test('a plain report, without JavaScript', async () => {
  const { page, complaints } = await open('small.html', { javaScriptEnabled: false });
  const text = await page.locator('body').innerText();
  for (const part of ['openvino computes Softmax', 'Which setting matters?', 'GeluFusionL2', 'reduced.onnx', '2026.4.1', 'need JavaScript']) {
    assert.ok(text.includes(part), part);
  }
  for (const view of views) {
    assert.equal(await page.locator(`#${view}`).isVisible(), false);
  }
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a report without data for views has no empty views', async () => {
  const { page, complaints } = await open('plain.html');
  assert.equal(await page.locator('nav a').count(), 3);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('hostile names stay text', async () => {
  const { page, complaints } = await open('hostile.html');
  assert.equal(await page.locator('img').count(), 0);
  assert.equal(await page.locator('script').count(), 2);
  await page.getByRole('button', { name: 'Worst' }).click();
  await selected(page, "<img src=x onerror=");
  await page.getByRole('button', { name: 'Start here (A)' }).click();
  await page.getByRole('searchbox', { name: 'Find a node' }).fill('<img');
  await page.getByRole('searchbox', { name: 'Find a node' }).press('Enter');
  await page.getByRole('searchbox', { name: 'Filter tensors' }).fill('<script>');
  assert.match(await page.locator('.rows').innerText(), /<\/script><script>/);
  assert.match(await page.title(), /^diagnose: <\/script>/);
  assert.equal(await page.locator('img').count(), 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('the policy stops scripts and requests that somehow got in', async () => {
  const { page, complaints } = await open('small.html');
  const blocked = page.waitForEvent('requestfailed');
  await page.evaluate(() => {
    const script = document.createElement('script');
    script.textContent = 'document.title = "owned"';
    document.body.append(script);
    const image = document.createElement('img');
    image.src = 'https://example.invalid/x.png';
    document.body.append(image);
  });
  assert.notEqual(await page.title(), 'owned');
  assert.ok(complaints.some((text) => text.includes('Content Security Policy')));
  assert.equal((await blocked).failure().errorText, 'csp');
  await page.close();
});

test('a tour by keyboard', async () => {
  const { page, complaints } = await open('small.html', { reducedMotion: 'reduce' });
  await page.keyboard.press('Tab');
  assert.equal(await page.evaluate(() => document.activeElement.className), 'skip');
  const reached = new Set();
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab');
    const place = await page.evaluate(() => {
      const active = document.activeElement;
      const shown = active.matches(':focus-visible') && getComputedStyle(active).outlineStyle !== 'none';
      return { name: active.className || active.id || active.tagName, shown, section: active.closest('section')?.id };
    });
    assert.ok(place.shown || place.name === 'BODY', `${place.name} shows no focus`);
    reached.add(place.name);
    reached.add(place.section);
  }
  for (const name of ['plot', 'graph', 'grid', 'errors', 'tensors', 'theme']) {
    assert.ok(reached.has(name), name);
  }

  await page.locator('canvas.graph').focus();
  await page.keyboard.press('Home');
  await selected(page, 'input_ids');
  await page.keyboard.press('ArrowDown');
  await selected(page, 'Gather');
  await page.keyboard.press('ArrowDown');
  const status = (pattern) =>
    page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('#graph-status').textContent), pattern);
  await status('^layers.0: .*, closed');
  await page.keyboard.press('Enter');
  await status('^layers.0: .*, open');
  await page.keyboard.press('Escape');
  await status('^10 × layers: .*, open');
  await page.keyboard.press('Enter');
  await status('^10 × layers: .*, closed');

  const grid = page.locator('.grid');
  await grid.focus();
  await page.keyboard.press('Tab');
  const sorted = () => page.getByRole('columnheader', { name: 'Tensor' }).getAttribute('aria-sort');
  for (const direction of ['ascending', 'descending', 'none']) {
    await page.keyboard.press('Enter');
    assert.equal(await sorted(), direction);
  }
  await page.waitForFunction(() => document.querySelector('.rows').textContent.startsWith('input_ids'));
  await grid.focus();
  await page.keyboard.press('End');
  await selected(page, 'embeddings.weight');
  await page.keyboard.press('Escape');
  await page.getByRole('searchbox', { name: 'Filter tensors' }).fill('layers.2 Softmax');
  await page.waitForFunction(() => document.querySelectorAll('.rows > *').length === 1);
  await page.locator('.grid').focus();
  await page.keyboard.press('Enter');
  await selected(page, 'Softmax_output_0');
  await page.keyboard.press('ArrowLeft');
  await selected(page, 'Div_output_0');
  await page.keyboard.press('ArrowRight');
  await selected(page, 'Softmax_output_0');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('keys that come faster than layouts', async () => {
  const { page, complaints } = await open('small.html', { reducedMotion: 'reduce' });
  const press = (...keys) =>
    page.evaluate((names) => {
      const canvas = document.querySelector('canvas.graph');
      for (const key of names) {
        canvas.dispatchEvent(new KeyboardEvent('keydown', { key }));
      }
    }, keys);
  const status = (pattern) =>
    page.waitForFunction((wanted) => new RegExp(wanted).test(document.querySelector('#graph-status').textContent), pattern);
  await press('Home', 'ArrowDown', 'ArrowDown', 'Enter', 'Enter', 'Enter');
  await status('^layers.0: .*, open');
  await selected(page, 'Gather');
  // The selection of the node before doesn't take the cursor back.
  await press('Enter');
  await status('^layers.0: .*, closed');
  await press('Enter', 'Escape', 'Enter', 'Enter');
  await status('^10 × layers: .*, open');
  assert.deepEqual(complaints, []);
  await page.close();
});

test('two tensors make a command, and the panel shows both sides', async () => {
  const { page, complaints } = await open('small.html', {}, `#tensor/${encodeURIComponent('/model/layers.2/attention/Div_output_0')}`);
  await selected(page, 'layers.2/attention/Div_output_0');
  await page.getByRole('button', { name: 'Start here (A)' }).click();
  await page.getByRole('button', { name: /layers.2\/attention\/Softmax/ }).click();
  await selected(page, 'Softmax');
  assert.match(await page.locator('aside').innerText(), /epsilon\s+9.999999747378752e-06/);
  await page.getByRole('button', { name: /Softmax_output_0/ }).click();
  await page.getByRole('button', { name: 'End here (B)' }).click();
  const text = await page.locator('aside').innerText();
  assert.ok(
    text.includes(
      'assay surgeon extract model.onnx --inputs /model/layers.2/attention/Div_output_0:auto:auto ' +
        '--outputs /model/layers.2/attention/Softmax_output_0:auto -o part.onnx',
    ),
    text,
  );
  assert.match(text, /onnxrt\s+openvino/);
  assert.equal(await page.locator('aside svg path').count(), 2);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('edges of rare kinds', async () => {
  const { page, complaints } = await open('odd.html', {}, '#tensor/x');
  const panel = page.locator('aside');
  const go = async (link, title) => {
    await page.evaluate((wanted) => {
      location.hash = wanted;
    }, link);
    await selected(page, title);
    return panel.innerText();
  };
  // What the graph draws: its texts, and how many of its lines are dashed, as the borders of what was found are.
  const draw = async (text, button = 'Fit') => {
    await page.evaluate(() => {
      window.drawn = { texts: [], dashed: 0 };
    });
    await page.getByRole('button', { name: button }).click();
    await page.waitForFunction((wanted) => window.drawn.texts.some((each) => each.includes(wanted)), text);
    return page.evaluate(() => window.drawn);
  };
  await page.evaluate(() => {
    window.drawn = { texts: [], dashed: 0 };
    const { fillText, setLineDash } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      window.drawn.texts.push(text);
      return fillText.call(this, text, ...place);
    };
    CanvasRenderingContext2D.prototype.setLineDash = function (dash) {
      window.drawn.dashed += dash.length ? 1 : 0;
      return setLineDash.call(this, dash);
    };
  });
  const labels = (await draw('GRU')).texts.filter((text) => /^[AB] /.test(text));
  assert.deepEqual(labels, [], 'no ends are chosen');

  // The body of If reads what depends on x, and the other input becomes one of the part.
  await page.getByRole('button', { name: 'Start here (A)' }).click();
  await go('#tensor/chosen', 'chosen');
  await page.getByRole('button', { name: 'End here (B)' }).click();
  const part = await panel.innerText();
  assert.match(part, /5 nodes are between them/);
  assert.match(part, /--inputs x:auto:auto y:auto:auto --outputs chosen:auto -o part.onnx/);
  assert.doesNotMatch(await go('#tensor/inner', 'inner'), /Start here/);

  assert.match(await go('#tensor/y', 'y'), /… and 12 more/);
  await go('#node/b%2FMul', 'b/Mul');
  assert.equal(await panel.getByRole('button', { name: /^first/ }).count(), 1);

  const search = page.getByRole('searchbox', { name: 'Find a node' });
  await search.fill('relu_7');
  const status = (text) =>
    page.waitForFunction((wanted) => document.querySelector('#graph-status').textContent.startsWith(wanted), text);
  await status('1 node found; Enter');
  assert.ok((await draw('readers')).dashed > 0);
  await search.press('Enter');
  await status('Relu_7: Relu');
  // The group is open now, and the node has the cursor, whose border isn't dashed.
  assert.equal((await draw('Relu_7', 'Zoom in')).dashed, 0);
  assert.deepEqual(complaints, []);
  await page.close();
});

test('a deep link opens the groups around a node', async () => {
  const name = '/model/layers.7/mlp/up/MatMul';
  const { page } = await open('small.html', {}, `#node/${encodeURIComponent(name)}`);
  await selected(page, name);
  await page.waitForFunction(() => document.querySelector('#graph-status').textContent.startsWith('up/MatMul: MatMul'));
  await page.close();
});

test('the mouse selects a point of the plot and a node of the graph', async () => {
  const name = '/model/layers.7/mlp/up/MatMul';
  const { page, complaints } = await open('small.html', {}, `#node/${encodeURIComponent(name)}`);
  await selected(page, name);
  await page.waitForFunction(() => document.querySelector('#graph-status').textContent.startsWith('up/MatMul'));
  await page.getByRole('button', { name: 'Close', exact: true }).click();
  // In Firefox, a finished event has no position.
  await page.evaluate(() => {
    for (const name of ['offsetX', 'offsetY']) {
      const { get } = Object.getOwnPropertyDescriptor(MouseEvent.prototype, name);
      Object.defineProperty(MouseEvent.prototype, name, {
        get() {
          return this.eventPhase === Event.NONE ? 0 : get.call(this);
        },
      });
    }
  });
  // A deep link puts its node into the middle.
  await page.locator('canvas.graph').scrollIntoViewIfNeeded();
  await page.locator('canvas.graph').click();
  await selected(page, name);

  const place = await page.locator('#errors canvas').evaluate((canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const pixels = [];
    for (let i = 0; i < data.length; i += 4) {
      if (data[i] === 179 && data[i + 1] === 38 && data[i + 2] === 30) {
        pixels.push(i / 4);
      }
    }
    const middle = pixels[pixels.length >> 1];
    return { x: middle % canvas.width, y: Math.floor(middle / canvas.width) };
  });
  await page.locator('#errors .u-over').scrollIntoViewIfNeeded();
  const canvas = await page.locator('#errors canvas').boundingBox();
  await page.mouse.move(canvas.x + place.x - 3, canvas.y + place.y);
  await page.mouse.move(canvas.x + place.x, canvas.y + place.y);
  await page.mouse.down();
  await page.mouse.up();
  await selected(page, '/model/layers.2/attention/Softmax_output_0');
  assert.deepEqual(complaints, []);
  await page.close();
});

// Waits until the part of the graph that is shown, as the minimap marks it, contains this height: pixels of the page,
// relative to the minimap.
const isShown = (page, y) =>
  page.waitForFunction((wantedRow) => {
    const canvas = document.querySelector('canvas.minimap');
    const probe = document.body.appendChild(document.createElement('i'));
    probe.style.color = 'var(--accent)';
    const wanted = getComputedStyle(probe).color.match(/\d+/g).map(Number);
    probe.remove();
    const { data, width } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height);
    const rows = [];
    for (let i = 0; i < data.length; i += 4) {
      if (wanted.every((value, part) => Math.abs(data[i + part] - value) < 12) && data[i + 3] > 200) {
        rows.push(Math.floor(i / 4 / width));
      }
    }
    return rows[0] <= wantedRow && wantedRow <= rows.at(-1);
  }, y);

test('pressing on the minimap moves the view there, and dragging on it takes the view along', async () => {
  const { page } = await open('small.html');
  const minimap = page.locator('canvas.minimap');
  await minimap.scrollIntoViewIfNeeded();
  const picture = () => page.locator('canvas.graph').evaluate((canvas) => canvas.toDataURL());
  const { width, height } = await minimap.boundingBox();
  const seen = new Set([await picture()]);
  for (const part of [0.85, 0.15]) {
    const y = height * part;
    await minimap.click({ position: { x: width / 4, y } });
    await isShown(page, y);
    seen.add(await picture());
  }
  assert.equal(seen.size, 3);

  const box = await minimap.boundingBox();
  await page.mouse.move(box.x + width / 4, box.y + height * 0.2);
  await page.mouse.down();
  await page.mouse.move(box.x + width / 4, box.y + height * 0.8, { steps: 4 });
  await page.mouse.up();
  await isShown(page, height * 0.8);
  await page.close();
});

test('paper is light, without what only works on a screen, and with the evidence', async () => {
  const { page } = await open('small.html', { colorScheme: 'dark' });
  await page.getByRole('button', { name: 'First born' }).click();
  await selected(page, 'Softmax');
  // Looks right after an event, without waiting for a frame: a browser that prints draws none.
  const look = (event) =>
    page.evaluate(async (type) => {
      dispatchEvent(new Event(type));
      await Promise.resolve();
      const coloursOf = (canvas) => {
        const { data } = document.querySelector(canvas).getContext('2d').getImageData(0, 0, 1e4, 1e4);
        const colours = new Set();
        for (let i = 0; i < data.length; i += 4) {
          colours.add(`${data[i]} ${data[i + 1]} ${data[i + 2]}`);
        }
        return colours;
      };
      const colours = coloursOf('#errors canvas');
      const inGraph = coloursOf('#graph canvas.graph');
      return {
        ink: getComputedStyle(document.querySelector('#steps h2')).color,
        shown: ['header', 'aside', '.bar', '.minimap', '.copy'].filter((name) => document.querySelector(name)?.checkVisibility()),
        evidence: document.querySelector('#steps details').open,
        // The diamond of a tensor at which an error is born.
        points: ['179 38 30', '255 138 128'].filter((colour) => colours.has(colour)),
        hasDarkTitles: inGraph.has('27 33 41'),
      };
    }, event);
  await page.evaluate(() => {
    document.querySelector('#steps details').open = false;
  });
  const screen = await look('none');
  assert.deepEqual(screen.shown, ['header', 'aside', '.bar', '.minimap', '.copy']);
  assert.deepEqual([screen.points, screen.hasDarkTitles], [['255 138 128'], false]);

  await page.emulateMedia({ media: 'print' });
  const paper = await look('beforeprint');
  const light = { ink: 'rgb(27, 33, 41)', points: ['179 38 30'], hasDarkTitles: true };
  assert.deepEqual(paper, { ...light, shown: [], evidence: true });
  assert.ok((await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)) <= 0);

  await page.emulateMedia({ media: 'screen' });
  assert.deepEqual(await look('afterprint'), screen);
  await page.close();
});

// Returns how large a browser prints its pixels, 1 for 96 in an inch: the second matrix of the first page.
function printedScale(pdf) {
  const content = pdf.indexOf('stream', pdf.indexOf('/FlateDecode')) + 'stream'.length;
  const drawn = inflateSync(pdf.subarray(pdf.indexOf('\n', content) + 1)).toString('latin1');
  const [outer, inner] = [...drawn.matchAll(/^([\d.]+) 0 0 \S+ \S+ \S+ cm$/gm)].map((match) => Number(match[1]));
  return (outer * inner * 96) / 72;
}

test('paper has text of its full size, since nothing is wider', async () => {
  for (const name of ['small.html', 'hostile.html', 'nodes_5000.html']) {
    const { page } = await open(name);
    const scale = printedScale(await page.pdf({ format: 'A4' }));
    assert.ok(Math.abs(scale - 1) < 0.01, `${name}: ${scale}`);
    await page.close();
  }
});

test('fingers find targets that are large enough', async () => {
  const { page } = await open('small.html', { viewport: { width: 390, height: 844 }, hasTouch: true });
  await page.getByRole('button', { name: 'First born' }).click();
  await selected(page, 'Softmax');
  const small = await page.evaluate(() =>
    [...document.querySelectorAll('button, select, input, nav a, summary')]
      .filter((each) => each.checkVisibility() && !each.closest('.head, footer'))
      .map((each) => ({ text: each.textContent || each.className, height: each.getBoundingClientRect().height }))
      .filter(({ height }) => height < 40),
  );
  assert.deepEqual(small, []);
  await page.close();
});

test('on a phone, words and numbers in tables stay whole', async () => {
  const { page } = await open('small.html', { viewport: { width: 360, height: 740 } });
  const broken = await page.evaluate(() => {
    for (const details of document.querySelectorAll('details')) details.open = true;
    return [...document.querySelectorAll('.scroll td')]
      .filter((cell) => /^\S{1,8}$/.test(cell.textContent))
      .filter((cell) => {
        const range = document.createRange();
        range.selectNodeContents(cell);
        return new Set([...range.getClientRects()].map(({ top }) => top)).size > 1;
      })
      .map((cell) => cell.textContent);
  });
  assert.deepEqual(broken, []);
  await page.close();
});

test('the error plot says if origins are unknown', async () => {
  for (const [name, meaning] of [
    ['small.html', 'small or none'],
    ['flat_5000.html', 'small or none, or of unknown origin'],
  ]) {
    const { page } = await open(name);
    assert.equal(await page.locator('#errors .legend li').last().innerText(), `·\n${meaning}`);
    await page.close();
  }
});

test('there is no line of the error plot between two tensors', async () => {
  const { page } = await open('small.html');
  await page.evaluate(() => {
    window.drawn = [];
    const { fillText } = CanvasRenderingContext2D.prototype;
    CanvasRenderingContext2D.prototype.fillText = function (text, ...place) {
      window.drawn.push(text);
      return fillText.call(this, text, ...place);
    };
  });
  await page.locator('#errors .plot').focus();
  for (let i = 0; i < 6; i++) await page.keyboard.press('+');
  await page.waitForFunction(() => window.drawn.length > 0);
  const texts = await page.evaluate(() => window.drawn.filter((text) => /^\d/.test(text)));
  assert.ok(texts.length > 0);
  assert.deepEqual(texts.filter((text) => /^\d+\.\d+$/.test(text)), []);
  await page.close();
});

test('the theme changes by a button', async () => {
  const { page, complaints } = await open('small.html', { colorScheme: 'light' });
  const background = () => page.evaluate(() => getComputedStyle(document.body).backgroundColor);
  const light = await background();
  await page.locator('#theme').click();
  assert.equal(await background(), light);
  await page.locator('#theme').click();
  assert.notEqual(await background(), light);
  assert.deepEqual(complaints, []);
  await page.close();
});

for (const name of ['nodes_5000.html', 'flat_5000.html']) {
  test(`5000 nodes draw only what is visible: ${name}`, async () => {
    assert.ok(statSync(`${folder}/${name}`).size < 1.5e6);
    const { page, complaints } = await open(name);
    await page.getByRole('button', { name: 'Worst' }).click();
    await page.waitForFunction(() => document.querySelector('#graph-status').textContent.includes(':'));
    await page.getByRole('searchbox', { name: 'Find a node' }).fill('7');
    await page.getByRole('columnheader', { name: 'Absolute' }).getByRole('button').click();
    assert.ok((await page.locator('.rows > *').count()) < 60);
    assert.deepEqual(complaints, []);
    await page.close();
  });
}

test('50000 nodes open with closed groups', async () => {
  const { page, complaints } = await open('nodes_50000.html');
  assert.match(await page.locator('#graph-status').textContent(), /^49\D?985 nodes/);
  await page.locator('canvas.graph').focus();
  await page.keyboard.press('Home');
  await selected(page, 'input_ids');
  await page.getByRole('button', { name: 'First born' }).click();
  await selected(page, 'Softmax');
  assert.ok((await page.locator('.rows > *').count()) < 60);
  assert.deepEqual(complaints, []);
  await page.close();
});
