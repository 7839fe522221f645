import { signal } from '@preact/signals';

/**
 * The token of the link that was opened, taken out of the address, where the history, a screenshot or a bystander
 * would keep it. Also when a link is opened in a tab that is on the page already.
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
