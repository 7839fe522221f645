import { part } from './page.js';

/**
 * A heading of the documentation with the text below it, in the form of /docs/search.json.
 * @typedef {{ address: string, title: string, heading: string, text: string }} Entry
 */

/** @typedef {{ entry: Entry, score: number }} Hit */

const mostHits = 20;
const excerptLength = 160;

const form = part('search');
const input = /** @type {HTMLInputElement} */ (part('search-text'));
const status = part('search-status');
const results = part('results');
const page = part('page');

/** @type {Promise<Entry[]> | undefined} */
let loading;

/** Loaded when somebody begins to search. After a failure the next key loads it again. */
function loadIndex() {
  loading ??= fetch('/docs/search.json').then((answer) => {
    if (!answer.ok) throw new Error(`answered ${answer.status}`);
    return answer.json();
  });
  loading.catch(() => (loading = undefined));
  return loading;
}

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().split(/\s+/).filter(Boolean);

/** @param {string | undefined} character */
const isLetter = (character) => /[\p{L}\p{N}]/u.test(character ?? '');

/**
 * How often a word occurs, at most three times. Whole words count most, and beginnings of words more than their middle.
 * @param {string} text
 * @param {string} word
 */
function weigh(text, word) {
  let weight = 0;
  for (let at = text.indexOf(word), count = 0; at >= 0 && count < 3; at = text.indexOf(word, at + 1), count += 1) {
    const isBeginning = !isLetter(text[at - 1]);
    weight += isBeginning && !isLetter(text[at + word.length]) ? 4 : isBeginning ? 2 : 1;
  }
  return weight;
}

/**
 * Every word must occur in the text, its heading or the title of the page; headings count most.
 * @param {Entry} entry
 * @param {string[]} words
 */
function scoreOf({ address, title, heading, text }, words) {
  const [inTitle, inHeading, inText] = [title.toLowerCase(), heading.toLowerCase(), text.toLowerCase()];
  let score = 0;
  for (const word of words) {
    const weight = 5 * weigh(inHeading, word) + (heading === '' ? 10 : 1) * weigh(inTitle, word) + weigh(inText, word);
    if (weight === 0) return 0;
    score += weight;
  }
  const phrase = words.join(' ');
  if (words.length > 1 && `${inHeading} ${inText}`.includes(phrase)) score *= 3;
  // Reasons for the design interest few of those who search.
  return address.startsWith('/docs/decisions/') ? score / 3 : score;
}

/**
 * @param {Entry[]} entries
 * @param {string[]} words
 * @returns {Hit[]}
 */
const findHits = (entries, words) =>
  entries
    .map((entry) => ({ entry, score: scoreOf(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score);

/**
 * The text with the words marked.
 * @param {string} text
 * @param {string[]} words
 */
function mark(text, words) {
  const pattern = new RegExp(`(${words.map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, '\\$&')).join('|')})`, 'i');
  return text.split(pattern).map((piece, index) => {
    if (index % 2 === 0) return piece;
    const marked = document.createElement('mark');
    marked.textContent = piece;
    return marked;
  });
}

/**
 * The text around the words, if they follow each other in it, else around the first of them.
 * @param {string} text
 * @param {string[]} words
 */
function excerptOf(text, words) {
  const lower = text.toLowerCase();
  const first = [words.join(' '), ...words].map((word) => lower.indexOf(word)).find((at) => at >= 0) ?? 0;
  const start = first < 60 ? 0 : text.indexOf(' ', first - 60) + 1;
  const end = start + excerptLength;
  if (end >= text.length) return `${start > 0 ? '… ' : ''}${text.slice(start)}`;
  return `${start > 0 ? '… ' : ''}${text.slice(start, text.lastIndexOf(' ', end))} …`;
}

/**
 * @param {Hit} hit
 * @param {string[]} words
 */
function hitItem({ entry: { address, title, heading, text } }, words) {
  const item = document.createElement('li');
  const link = document.createElement('a');
  link.href = address;
  const name = document.createElement('strong');
  name.append(...mark(heading || title, words));
  const where = document.createElement('span');
  where.className = 'where';
  where.textContent = heading ? title : '';
  const excerpt = document.createElement('span');
  excerpt.className = 'excerpt';
  excerpt.append(...mark(excerptOf(text, words), words));
  link.append(name, where, excerpt);
  item.append(link);
  return item;
}

/**
 * @param {string} line
 * @param {HTMLElement[]} items
 */
function showResults(line, items) {
  const heading = document.createElement('h1');
  heading.className = 'page-title';
  heading.textContent = 'Search';
  const summary = document.createElement('p');
  summary.textContent = line;
  const list = document.createElement('ol');
  list.append(...items);
  results.replaceChildren(heading, summary, list);
  status.textContent = line;
  results.hidden = false;
  page.hidden = true;
}

function closeResults() {
  results.hidden = true;
  page.hidden = false;
  status.textContent = '';
}

async function search() {
  const text = input.value;
  const words = wordsOf(text);
  if (words.length === 0) return closeResults();
  try {
    const hits = findHits(await loadIndex(), words);
    // Another key was pressed meanwhile.
    if (input.value !== text) return;
    const more = hits.length > mostHits ? `The best ${mostHits} of ${hits.length} places` : `${hits.length} places`;
    const line =
      hits.length === 0 ? `Nothing contains ${words.join(' and ')}.` : `${more} with ${words.join(' and ')}.`;
    showResults(
      hits.length === 1 ? `One place with ${words.join(' and ')}.` : line,
      hits.slice(0, mostHits).map((hit) => hitItem(hit, words)),
    );
  } catch {
    showResults('The search could not be loaded. Check the connection, then type again.', []);
  }
}

/** Moves the focus by one between the field and the results. @param {1 | -1} by */
function move(by) {
  const stops = [input, .../** @type {NodeListOf<HTMLElement>} */ (results.querySelectorAll('a'))];
  const at = stops.findIndex((stop) => stop === document.activeElement);
  stops[Math.min(Math.max(at + by, 0), stops.length - 1)]?.focus();
}

/** @param {KeyboardEvent} event */
function pressSearchKey(event) {
  if (results.hidden && event.key !== 'Escape') return;
  if (event.key === 'ArrowDown' || event.key === 'ArrowUp') move(event.key === 'ArrowDown' ? 1 : -1);
  else if (event.key === 'Escape') leaveSearch();
  else return;
  event.preventDefault();
}

function leaveSearch() {
  input.value = '';
  closeResults();
  input.focus();
}

/** @param {KeyboardEvent} event */
function pressKey(event) {
  const isTyping = event.target instanceof Element && event.target.matches('input, textarea, select');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  input.focus();
  input.select();
}

input.addEventListener('focus', () => void loadIndex().catch(() => {}));
input.addEventListener('input', () => void search());
form.addEventListener('keydown', pressSearchKey);
results.addEventListener('keydown', pressSearchKey);
document.addEventListener('keydown', pressKey);
form.addEventListener('submit', (event) => {
  event.preventDefault();
  results.querySelector('a')?.click();
});
// A result on the page that is open only moves to its heading.
results.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  if (link?.pathname !== location.pathname) return;
  input.value = '';
  closeResults();
});
// The list of pages scrolls by itself where it stands beside the text.
if (matchMedia('(min-width: 861px)').matches) {
  document.querySelector('.contents [aria-current]')?.scrollIntoView({ block: 'nearest' });
}
form.hidden = false;
// The browser may have kept the text from before, such as when somebody goes back to the results.
void search();
