import { part } from './page.js';

const form = part('filter');
const input = /** @type {HTMLInputElement} */ (part('filter-text'));
const operations = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.operation')]);
const links = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('[data-operation]')]);
const groups = /** @type {HTMLElement[]} */ ([...document.querySelectorAll('.tag, .tag-links')]);

function filter() {
  const words = input.value.toLowerCase().split(/\s+/).filter(Boolean);
  const found = new Set(operations.filter(({ dataset }) => words.every((word) => dataset.search?.includes(word))));
  for (const operation of operations) operation.hidden = !found.has(operation);
  const shown = new Set([...found].map(({ id }) => id));
  for (const link of links) link.hidden = !shown.has(link.dataset.operation ?? '');
  for (const group of groups) {
    group.hidden = group.querySelector('.operation:not([hidden]), [data-operation]:not([hidden])') === null;
  }
  part('filter-result').textContent = words.length > 0 ? `${found.size} of ${operations.length} operations` : '';
}

/** A link may lead to an operation that the filter hides. */
function uncoverTarget() {
  const target = document.getElementById(decodeURIComponent(location.hash.slice(1)));
  if (!target?.closest('[hidden]')) return;
  input.value = '';
  filter();
  target.scrollIntoView();
}

input.addEventListener('input', filter);
form.addEventListener('submit', (event) => event.preventDefault());
addEventListener('hashchange', uncoverTarget);
for (const place of document.querySelectorAll('[data-origin]')) place.textContent = location.origin;
form.hidden = false;
// The browser may have kept the text from before a reload.
filter();
