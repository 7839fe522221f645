import { signal } from '@preact/signals';
import { beginEntry, currentEntryID, keepScroll, newEntryID, restoreScroll } from './kept.ts';
import { mayLeave } from './leaving.ts';

export interface Location {
  readonly path: string;
  readonly query: URLSearchParams;
}

/** Kept by the browser with each entry of its history. */
interface EntryState {
  readonly entry: string;
  /** The address from which the entry was opened. */
  readonly from: string;
}

const read = (): Location => ({ path: location.pathname, query: new URLSearchParams(location.search) });

export const currentLocation = signal<Location>(read());
/** Counts navigations to another page. After each, the focus moves to the main content. */
export const navigationCount = signal(0);

function stateOf(state: unknown): EntryState | undefined {
  const { entry, from } = (state ?? {}) as Partial<EntryState>;
  return typeof entry === 'string' ? { entry, from: from ?? '' } : undefined;
}

/** Gives an entry that the console did not make, such as the first one, its id. */
function readEntry(): string {
  const known = stateOf(history.state);
  if (known) return known.entry;
  const entry = newEntryID();
  history.replaceState({ entry, from: '' } satisfies EntryState, '');
  return entry;
}

/** The console restores scroll positions itself: the browser would do so before the data is there. */
export function startHistory(): void {
  history.scrollRestoration = 'manual';
  beginEntry(readEntry());
  addEventListener('pagehide', keepScroll);
  restoreScroll();
}

/** Called on the browser's back and forward buttons. */
export function readAddressBar(): void {
  const { path, query } = currentLocation.peek();
  if (location.pathname !== path && !mayLeave(() => history.back())) {
    // The browser has gone already: return, so that going back again leads to the wanted page.
    const search = query.toString();
    const state: EntryState = { entry: currentEntryID(), from: location.pathname };
    history.pushState(state, '', path + (search && `?${search}`));
    return;
  }
  keepScroll();
  beginEntry(readEntry());
  currentLocation.value = read();
  navigationCount.value += 1;
  restoreScroll();
}

export function navigate(address: string, how: 'push' | 'replace' = 'push'): void {
  const before = currentLocation.peek().path;
  const isOther = new URL(address, location.origin).pathname !== before;
  if (isOther && !mayLeave(() => navigate(address, how))) return;
  if (how === 'push') {
    keepScroll();
    const entry = newEntryID();
    history.pushState({ entry, from: location.pathname } satisfies EntryState, '', address);
    beginEntry(entry);
  } else history.replaceState(history.state, '', address);
  currentLocation.value = read();
  if (currentLocation.peek().path === before) return;
  navigationCount.value += 1;
  scrollTo(0, 0);
}

/** The path of the page from which this one was opened; empty if it was opened by its address. */
export const openedFrom = (): string => stateOf(history.state)?.from ?? '';

/** Leads to the list that a page belongs to: back in the history if the page was opened from it, so that it is as it was left. */
export function goBackTo(address: string): void {
  if (stateOf(history.state)?.from === address) history.back();
  else navigate(address);
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
