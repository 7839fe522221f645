import { goBackTo, navigate, readAddressBar, startHistory } from '../lib/location.ts';

const isOurs = (path: string): boolean => !/^\/(api|docs|openapi\.json|v1|pages|assets)(\/|$)/.test(path);

/** Handles clicks on links within the console without reloading the page. */
export function attachLinkHandler(): void {
  startHistory();
  addEventListener('popstate', readAddressBar);
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!isOurs(link.pathname) || (link.hash !== '' && link.pathname === location.pathname)) return;
    event.preventDefault();
    if (link.rel === 'up') goBackTo(link.pathname + link.search);
    else navigate(link.pathname + link.search);
  });
}
