import { signal } from '@preact/signals';

export interface Place {
  readonly path: string;
  readonly query: URLSearchParams;
}

const read = (): Place => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const place = signal<Place>(read());
/** Counts navigations to another page. After each, the focus moves to the main content. */
export const moves = signal(0);

const isOurs = (path: string): boolean => !/^\/(api|openapi\.json|v1|pages|assets)(\/|$)/.test(path);

export function go(address: string, how: 'push' | 'replace' = 'push'): void {
  const before = place.peek().path;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  place.value = read();
  if (place.peek().path === before) return;
  moves.value += 1;
  scrollTo(0, 0);
}

/** Changes query parameters of the address; an empty value removes the parameter. */
export function setQuery(changes: Readonly<Record<string, string>>, how: 'push' | 'replace' = 'replace'): void {
  const query = new URLSearchParams(location.search);
  for (const [name, value] of Object.entries(changes)) {
    if (value === '') query.delete(name);
    else query.set(name, value);
  }
  const search = query.toString();
  go(location.pathname + (search && `?${search}`), how);
}

/** Handles clicks on links within the console without reloading the page. */
export function followLinks(): void {
  addEventListener('popstate', () => {
    place.value = read();
    moves.value += 1;
  });
  document.addEventListener('click', (event) => {
    if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
    const link = event.target instanceof Element ? event.target.closest('a') : null;
    if (!link || link.target !== '' || link.hasAttribute('download') || link.origin !== location.origin) return;
    if (!isOurs(link.pathname) || (link.hash !== '' && link.pathname === location.pathname)) return;
    event.preventDefault();
    go(link.pathname + link.search);
  });
}
