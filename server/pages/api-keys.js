import { ApiError } from './call-api.js';
import { copyText } from './copy.js';
import { connectForm } from './form.js';
import { announce, make, makeButton, makeTime, part, showText } from './page.js';

/**
 * @typedef {{ key?: number, aPIKeyDescription?: string, accessKey?: string, secretKey?: string,
 *   status?: number, creationDate?: string, lastAccessDate?: string }} APIKey
 */

/** @param {import('./call-api.js').Call} call */
export function createApiKeys(call) {
  const form = /** @type {HTMLFormElement} */ (part('add-key'));

  connectForm(form, async ({ aPIKeyDescription }) => {
    /** @type {APIKey} */
    const key = await call('POST', '/v1/apikey');
    // Shown before anything else can fail: no other answer will ever contain it.
    showSecret(key);
    form.reset();
    try {
      if (aPIKeyDescription) await call('PUT', `/v1/apikey/${key.key}`, { aPIKeyDescription });
    } finally {
      await load();
    }
  });

  async function load() {
    try {
      show(await call('GET', '/v1/apikey/list'));
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      showText(part('keys-failed'), failure.message);
    }
  }

  /** @param {APIKey[]} keys */
  function show(keys) {
    showText(part('keys-failed'));
    part('no-keys').hidden = keys.length > 0;
    part('keys').replaceChildren(...keys.map((key) => makeRow(key, remove)));
    part('key-count').textContent = keys.length > 0 ? String(keys.length) : '';
  }

  /** @param {APIKey} key */
  async function remove(key) {
    try {
      await call('DELETE', `/v1/apikey/${key.key}`);
      announce('The key is deleted.');
    } catch (failure) {
      if (!(failure instanceof ApiError)) throw failure;
      // Deleted elsewhere meanwhile: what was wanted is so.
      if (failure.status !== 404) return showText(part('keys-failed'), failure.message);
    }
    if (part('new-access-key').textContent === key.accessKey) hideSecret();
    part('keys-title').focus();
    await load();
  }

  part('new-key-done').addEventListener('click', () => {
    hideSecret();
    part('keys-title').focus();
  });
  part('copy-curl').addEventListener('click', () => copyText(part('curl-line')));

  return {
    load,
    clear() {
      hideSecret();
      part('keys').replaceChildren();
      form.reset();
    },
  };
}

/** @param {APIKey} key */
function showSecret({ accessKey = '', secretKey = '' }) {
  part('new-access-key').textContent = accessKey;
  part('new-secret-key').textContent = secretKey;
  part('curl-line').textContent = `curl -u "${accessKey}:${secretKey}" ${location.origin}/v1/agenttype/list`;
  part('new-key').hidden = false;
  part('new-key-title').focus();
}

function hideSecret() {
  part('new-key').hidden = true;
  for (const id of ['new-access-key', 'new-secret-key', 'curl-line']) part(id).textContent = '';
}

/**
 * @param {APIKey} key
 * @param {(key: APIKey) => Promise<void>} remove
 */
function makeRow(key, remove) {
  const { aPIKeyDescription, accessKey = '', status, creationDate, lastAccessDate } = key;
  const name = make(
    'div',
    { class: 'row-name' },
    make('strong', {}, aPIKeyDescription || 'No description'),
    make('code', {}, accessKey),
  );
  const facts = make('div', { class: 'row-facts' });
  if (status === 0) facts.append('inactive: its owner is disabled');
  else if (lastAccessDate) facts.append('last used ', makeTime(lastAccessDate));
  else facts.append('never used');
  if (creationDate) facts.append(' · made ', makeTime(creationDate));
  const row = make('li', {}, name, facts);
  row.append(makeRemoval(key, row, remove));
  return row;
}

/**
 * The button, which turns into a question in its place before anything is deleted.
 * @param {APIKey} key
 * @param {HTMLElement} row
 * @param {(key: APIKey) => Promise<void>} remove
 */
function makeRemoval(key, row, remove) {
  const ask = makeButton('Delete', 'small', () => {
    const keep = makeButton('Keep it', 'small', () => {
      question.replaceWith(ask);
      ask.focus();
    });
    const question = make(
      'div',
      { class: 'confirm', role: 'group', 'aria-label': 'Confirm' },
      make('p', {}, 'Delete this key? Programs that use it stop working at once.'),
      makeButton('Delete the key', 'small danger', () => void remove(key)),
      keep,
    );
    question.addEventListener('keydown', ({ key: pressed }) => {
      if (pressed === 'Escape') keep.click();
    });
    ask.replaceWith(question);
    // The harmless choice is the one that a second, hasty press would hit.
    keep.focus();
  });
  ask.setAttribute('aria-label', `Delete the key ${key.aPIKeyDescription || key.accessKey}`);
  return ask;
}
