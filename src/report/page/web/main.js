// @ts-check
// Fills the sections of the page that need a script. Each step is a task of its own.
import { decodeBlock } from './columns.js';
import { element } from './dom.js';
import { ErrorsView } from './errors_view.js';
import { GraphView } from './graph_view.js';
import { buildTree } from './groups.js';
import { startLayouts } from './layout_client.js';
import { linkTo, selectionOf } from './links.js';
import { Model } from './model.js';
import { ReductionView } from './reduction_view.js';
import { addCopyButton, SelectionPanel } from './selection_panel.js';
import { nextTask, runSliced } from './slices.js';
import { State } from './state.js';
import { TensorsView } from './tensors_view.js';
import { themeButton } from './theme.js';

/** @param {string} id @returns {HTMLElement | null} the place of a view; shows its section */
function placeOf(id) {
  const section = document.getElementById(id);
  if (!section) {
    return null;
  }
  section.hidden = false;
  const link = document.querySelector(`nav a[href="#${id}"]`)?.parentElement;
  if (link) {
    link.hidden = false;
  }
  return section.querySelector('.view');
}

/** @param {Model} model @param {State} state */
function keepLinks(model, state) {
  const open = () => {
    const selection = selectionOf(model, location.hash);
    if (selection) {
      state.select(selection);
      document.getElementById(selection.kind === 'node' ? 'graph' : 'tensors')?.scrollIntoView();
    } else if (/^#[a-z]+$/.test(location.hash)) {
      document.getElementById(location.hash.slice(1))?.scrollIntoView();
    }
  };
  state.on('selection', () => {
    const link = linkTo(model, state.selection);
    try {
      history.replaceState(null, '', link || location.pathname + location.search);
    } catch {
      // A page without an origin, in a sandboxed frame, may not change its address.
    }
  });
  addEventListener('hashchange', open);
  open();
}

/** @param {HTMLElement} place @param {Model} model @param {State} state */
async function showGraph(place, model, state) {
  const tree = await runSliced(buildTree(model));
  const view = new GraphView(place, model, tree, state, startLayouts());
  await view.start();
}

async function start() {
  const state = new State();
  document.getElementById('tools')?.append(themeButton(state));
  for (const command of document.querySelectorAll('main pre.command')) {
    addCopyButton(/** @type {HTMLElement} */ (command));
  }
  const data = document.getElementById('data')?.textContent ?? '';
  if (!data) {
    return;
  }
  await nextTask();
  const columns = await decodeBlock(data);
  await nextTask();
  const model = new Model(columns);
  await runSliced(model.connect());
  state.metric = model.measuredMetrics()[0] ?? 'norm';
  await nextTask();
  const panel = document.getElementById('selection');
  if (panel) {
    new SelectionPanel(panel, model, state);
  }
  const graph = placeOf('graph');
  for (const [id, View] of /** @type {const} */ ([
    ['errors', ErrorsView],
    ['tensors', TensorsView],
    ['reduction', ReductionView],
  ])) {
    const place = placeOf(id);
    if (place) {
      new View(place, model, state);
      await nextTask();
    }
  }
  keepLinks(model, state);
  if (graph) {
    await showGraph(graph, model, state);
  }
}

start()
  .catch((error) => {
    const text = `The interactive views can't be shown: ${error instanceof Error ? error.message : error}.`;
    document.getElementById('main')?.append(element('p', { role: 'alert' }, text));
    console.error(error);
  })
  .finally(() => {
    document.documentElement.dataset.ready = 'true';
  });
