import { signal } from '@preact/signals';
import { onSignOut } from '../../lib/session.ts';

/*
 * What the person opened last, for the palette. Only pages of one record and searches: the others have a link in the
 * navigation. Kept for the tab, because names of devices must not stay on a shared computer.
 */

export interface RecentPage {
  readonly href: string;
  readonly title: string;
}

const storageName = 'earshot recent';
const mostKept = 8;
const isWanted = /^\/(clips|devices|rules|alerts|events|collections)\/\d+$|^\/search\?.*\bq=/;

function readKept(): readonly RecentPage[] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(storageName) ?? '[]');
    return Array.isArray(kept) ? (kept as readonly RecentPage[]) : [];
  } catch {
    return [];
  }
}

export const recentPages = signal<readonly RecentPage[]>(readKept());

function keep(pages: readonly RecentPage[]): void {
  recentPages.value = pages;
  try {
    sessionStorage.setItem(storageName, JSON.stringify(pages));
  } catch {
    // Storage is full or blocked: kept until the page is closed.
  }
}

onSignOut(() => keep([]));

/** Pages with this one first; only its newest title. */
export function withRecent(pages: readonly RecentPage[], page: RecentPage): readonly RecentPage[] {
  return [page, ...pages.filter(({ href }) => href !== page.href)].slice(0, mostKept);
}

/** The page of the address, if it is one to come back to. */
export function recentPageOf(pathname: string, search: string, title: string): RecentPage | undefined {
  const words = pathname === '/search' ? new URLSearchParams(search).get('q') : null;
  const href = pathname === '/search' ? pathname + search : pathname;
  const name = words ? `Search: ${words}` : title.replace(/ · Earshot$/, '');
  return isWanted.test(href) && name !== '' && name !== 'Not found' ? { href, title: name } : undefined;
}

/** Notes pages as they set their title. A page sets it again when its data is there. */
export function noteRecent(): () => void {
  const note = () => {
    const page = recentPageOf(location.pathname, location.search, document.title);
    const [first] = recentPages.peek();
    if (page && (first?.href !== page.href || first.title !== page.title)) keep(withRecent(recentPages.peek(), page));
  };
  const titles = new MutationObserver(note);
  titles.observe(document.head, { childList: true, subtree: true, characterData: true });
  return () => titles.disconnect();
}
