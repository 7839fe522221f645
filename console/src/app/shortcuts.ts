import { signal } from '@preact/signals';
import { go } from './router.ts';
import { undoLast } from './toasts.ts';

export const showsShortcuts = signal(false);
/** Shortcuts of the current page. */
export const pageKeys = signal<readonly (readonly [keys: string, meaning: string])[]>([]);

/** Press `g`, then the letter. */
export const goTo: Readonly<Record<string, readonly [address: string, name: string]>> = {
  o: ['/', 'Overview'],
  l: ['/clips', 'Clips'],
  d: ['/devices', 'Devices'],
  t: ['/timeline', 'Timeline'],
  e: ['/events', 'Events'],
  p: ['/presets', 'Presets'],
  c: ['/collections', 'Collections'],
  k: ['/keys', 'API keys'],
  s: ['/settings', 'Settings'],
};

const secondKeyMs = 1_500;

/** Checkboxes and buttons do not accept text. */
const takesText = 'textarea, select, input:not([type=checkbox], [type=radio], [type=button], [type=submit])';

export const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || target.matches(takesText));

/** Focuses the search field in the navigation, or opens the search page where the field is hidden. */
function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search-said]');
  if (search?.checkVisibility()) search.select();
  else go('/search');
}

/** Focuses the filter field of the page. Returns whether the page has one. */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('[data-search]');
  filter?.select();
  return filter !== null;
}

export function listenToKeys(): () => void {
  let pressedAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const second = event.timeStamp - pressedAt < secondKeyMs ? goTo[event.key] : undefined;
    pressedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (second) go(second[0]);
    else if (event.key === '/') focusSearch();
    else if (event.key === '?') showsShortcuts.value = true;
    else if (event.key === 'u') undoLast();
    else if (event.key !== 'f' || !focusFilter()) return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
