/**
 * The part of the page that its markup promises.
 * @template {HTMLElement} [Part=HTMLElement]
 * @param {string} id
 * @returns {Part}
 */
export function part(id) {
  const found = document.getElementById(id);
  if (!found) throw new Error(`The page lacks #${id}`);
  return /** @type {Part} */ (found);
}

/**
 * Makes an element. Children that are text become text, whatever is in them.
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {Record<string, string>} attributes
 * @param {...(Node | string)} children
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function make(name, attributes, ...children) {
  const element = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) element.setAttribute(attribute, value);
  element.append(...children);
  return element;
}

/**
 * @param {string} label
 * @param {string} className
 * @param {() => void} act
 */
export function makeButton(label, className, act) {
  const button = make('button', { type: 'button', class: className }, label);
  button.addEventListener('click', act);
  return button;
}

/** @param {string} isoDate */
export function makeTime(isoDate) {
  const words = new Date(isoDate).toLocaleString(undefined, { dateStyle: 'medium', timeStyle: 'short' });
  return make('time', { datetime: isoDate }, words);
}

const toastMs = 6_000;

/**
 * Says briefly what has been done, to the eye and to a screen reader.
 * @param {string} text
 */
export function announce(text) {
  const toast = part('toast');
  toast.textContent = text;
  setTimeout(() => {
    if (toast.textContent === text) toast.textContent = '';
  }, toastMs);
}

/**
 * Shows a text in an element that is hidden when there is none.
 * @param {HTMLElement} element
 * @param {string} [text]
 */
export function showText(element, text = '') {
  element.textContent = text;
  element.hidden = text === '';
}
