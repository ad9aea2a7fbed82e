// @ts-check
// The button that switches between the system's theme, light and dark; paper is light.
import { element, forgetColours } from './dom.js';

/** @typedef {import('./state.js').State} State */

const themes = ['system', 'light', 'dark'];

/** @param {State} state */
export function themeButton(state) {
  const changed = () => {
    forgetColours();
    state.announce('theme');
  };
  let current = 0;
  const button = element('button', { type: 'button', id: 'theme' }, 'Theme: system');
  button.addEventListener('click', () => {
    current = (current + 1) % themes.length;
    button.textContent = `Theme: ${themes[current]}`;
    if (current) {
      document.documentElement.dataset.theme = themes[current];
    } else {
      delete document.documentElement.dataset.theme;
    }
    changed();
  });
  matchMedia('(prefers-color-scheme: dark)').addEventListener('change', changed);
  printInLight(changed);
  return button;
}

/** Draws the canvases in light colours and opens the evidence while the page is printed. @param {() => void} changed */
function printInLight(changed) {
  const root = document.documentElement;
  /** @type {string | undefined} */
  let theme;
  /** @type {HTMLDetailsElement[]} */
  let closed = [];
  addEventListener('beforeprint', () => {
    theme = root.dataset.theme;
    root.dataset.theme = 'light';
    closed = [...document.querySelectorAll('details')].filter((each) => !each.open && each.closest('main'));
    for (const each of closed) {
      each.open = true;
    }
    changed();
  });
  addEventListener('afterprint', () => {
    if (theme) {
      root.dataset.theme = theme;
    } else {
      delete root.dataset.theme;
    }
    for (const each of closed) {
      each.open = false;
    }
    changed();
  });
}
