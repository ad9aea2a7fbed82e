// @ts-check
// Elements. Texts from the report only ever become text nodes.

/**
 * @param {string} tag
 * @param {Record<string, string | number | boolean | ((event: any) => void) | undefined>} [properties] attributes, and
 *   listeners as onclick and the like
 * @param {...(Node | string | null | undefined)} children
 */
export function element(tag, properties = {}, ...children) {
  const made = document.createElement(tag);
  for (const [name, value] of Object.entries(properties)) {
    if (typeof value === 'function') {
      made.addEventListener(name.slice(2), value);
    } else if (value === true) {
      made.setAttribute(name, '');
    } else if (value !== false && value !== undefined) {
      made.setAttribute(name, String(value));
    }
  }
  made.append(...children.filter((child) => child !== null && child !== undefined));
  return made;
}

/**
 * Returns a name that may break after / . and _.
 * @param {string} name
 */
export function nameText(name) {
  const parts = name.length < 500 ? name.split(/(?<=[/._])/) : [name];
  return element('bdi', {}, ...parts.flatMap((part) => [part, element('wbr')]));
}

/**
 * @param {string} label
 * @param {[string, string][]} options values and texts
 * @param {string} value
 * @param {(value: string) => void} changed
 */
export function choice(label, options, value, changed) {
  const select = /** @type {HTMLSelectElement} */ (
    element(
      'select',
      { onchange: () => changed(select.value) },
      ...options.map(([key, text]) => element('option', { value: key, selected: key === value }, text)),
    )
  );
  return element('label', { class: 'choice' }, element('span', {}, label), select);
}

/** @type {Map<string, string>} */
const known = new Map();

/**
 * Returns a colour of the current theme, in a form that canvases understand.
 * @param {string} name a custom property of the style sheet
 */
export function colour(name) {
  let found = known.get(name);
  if (found === undefined) {
    const probe = element('span', { hidden: true });
    probe.style.color = `var(${name})`;
    document.body.append(probe);
    found = getComputedStyle(probe).color;
    probe.remove();
    known.set(name, found);
  }
  return found;
}

/** Reads the colours again, after the theme has changed. */
export const forgetColours = () => known.clear();
