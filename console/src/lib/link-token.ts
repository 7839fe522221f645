import { signal } from '@preact/signals';

/**
 * The token of the opened link. It is removed from the address, so that it does not stay in the history or in
 * screenshots. Also handles a link that is opened in a tab that shows the page already.
 */
export const linkToken = signal('');

function take(): void {
  const given = new URLSearchParams(location.hash.slice(1)).get('token');
  if (!given) return;
  history.replaceState(null, '', location.pathname);
  linkToken.value = given;
}

take();
addEventListener('hashchange', take);
