import { createApiKeys } from './api-keys.js';
import { ApiError, callApi } from './call-api.js';
import { createDevices } from './devices.js';
import { connectForm } from './form.js';
import { part, showText } from './page.js';
import { connectPasswordButtons } from './password-field.js';

/** @typedef {{ email?: string, displayName?: string, role?: string }} Session */

const views = ['sign-in', 'failed', 'console'];

/** @param {string} shown */
function showView(shown) {
  for (const view of views) part(view).hidden = view !== shown;
}

/** @param {string} [reason] */
function showSignIn(reason = '') {
  // Nothing of it, least of all a secret, is for whoever signs in next.
  devices.clear();
  apiKeys.clear();
  showView('sign-in');
  part('sign-in-reason').textContent = reason;
  const password = /** @type {HTMLInputElement} */ (part('password'));
  password.value = '';
  part(/** @type {HTMLInputElement} */ (part('email')).value ? 'password' : 'email').focus();
}

/**
 * Any call may be the one that finds the session ended, here or in another window.
 * @type {import('./call-api.js').Call}
 */
async function callInSession(method, path, body) {
  try {
    return await callApi(method, path, body);
  } catch (failure) {
    if (failure instanceof ApiError && failure.endsSession) showSignIn('Your session has ended. Sign in again.');
    throw failure;
  }
}

const devices = createDevices(callInSession);
const apiKeys = createApiKeys(callInSession);

/** @param {Session} session */
async function showConsole({ email = '', displayName, role }) {
  const name = displayName ? `${displayName}, ${email}` : email;
  showText(part('who'), role === 'admin' ? `Signed in as ${name} (admin)` : `Signed in as ${name}`);
  for (const alert of part('console').querySelectorAll('.alert')) showText(/** @type {HTMLElement} */ (alert));
  showView('console');
  await Promise.all([devices.load(), apiKeys.load()]);
}

/** Read once: after the next sign-in it is no news any more. */
function takeNews() {
  if (location.hash !== '#password-changed') return '';
  history.replaceState(null, '', location.pathname);
  return 'Your password is changed. Sign in with the new one.';
}

async function start() {
  try {
    await showConsole(await callApi('GET', '/v1/session'));
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (failure.status === 419) return showSignIn('Your session has ended. Sign in again.');
    if (failure.status === 401) return showSignIn(takeNews());
    showView('failed');
    part('failed-reason').textContent = failure.message;
  }
}

connectPasswordButtons();
connectForm(
  part('sign-in-form'),
  async ({ email, password }) => {
    /** @type {Session} */
    const session = await callApi('POST', '/v1/session', { email, password });
    /** @type {HTMLInputElement} */ (part('password')).value = '';
    const shown = showConsole(session);
    part('console-title').focus();
    await shown;
  },
  ({ status }) => (status === 401 ? 'The email or the password is wrong.' : undefined),
);
part('try-again').addEventListener('click', start);
part('sign-out').addEventListener('click', async () => {
  try {
    await callApi('DELETE', '/v1/session');
  } catch (failure) {
    if (!(failure instanceof ApiError)) throw failure;
    if (!failure.endsSession) {
      showView('failed');
      part('failed-reason').textContent = `You are still signed in. ${failure.message}`;
      return;
    }
  }
  showSignIn('You are signed out.');
});
start();
