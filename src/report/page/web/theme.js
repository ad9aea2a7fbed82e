// @ts-check
// The button that switches between the system's theme, light and dark.
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
  return button;
}
