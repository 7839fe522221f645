import { signal } from '@preact/signals';
import { mayLeave } from './leaving.ts';

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
}

const read = (): Location => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const currentLocation = signal<Location>(read());
/** Counts navigations to another page. After each, the focus moves to the main content. */
export const navigationCount = signal(0);

/** Called on the browser's back and forward buttons. */
export function readAddressBar(): void {
  const { path, query } = currentLocation.peek();
  if (location.pathname !== path && !mayLeave(() => history.back())) {
    // The browser has gone already: return, so that going back again leads to the wanted page.
    const search = query.toString();
    history.pushState(null, '', path + (search && `?${search}`));
    return;
  }
  currentLocation.value = read();
  navigationCount.value += 1;
}

export function navigate(address: string, how: 'push' | 'replace' = 'push'): void {
  const before = currentLocation.peek().path;
  const isOther = new URL(address, location.origin).pathname !== before;
  if (isOther && !mayLeave(() => navigate(address, how))) return;
  if (how === 'push') history.pushState(null, '', address);
  else history.replaceState(null, '', address);
  currentLocation.value = read();
  if (currentLocation.peek().path === before) return;
  navigationCount.value += 1;
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
  navigate(location.pathname + (search && `?${search}`), how);
}
