import { part } from './page.js';

/**
 * Takes the token out of the address, where the history, a screenshot or a bystander would keep it,
 * and shows the part of the page that fits. Also when a link is opened in a tab that is on the page already.
 * @returns {() => string} the token of the link opened last
 */
export function takeLinkToken() {
  let token = '';
  const take = () => {
    const given = new URLSearchParams(location.hash.slice(1)).get('token');
    if (given) {
      history.replaceState(null, '', location.pathname);
      token = given;
    }
    part('with-token').hidden = token === '';
    part('without-token').hidden = token !== '';
  };
  take();
  addEventListener('hashchange', take);
  return () => token;
}
