import { signal } from '@preact/signals';
import { navigate } from '../lib/location.ts';
import { isTyping } from '../lib/page-keys.ts';
import { undoLast } from '../lib/toasts.ts';

export const showsShortcuts = signal(false);

/** Press `g`, then the letter. */
export const goTo: Readonly<Record<string, readonly [address: string, name: string]>> = {
  o: ['/', 'Overview'],
  l: ['/clips', 'Clips'],
  d: ['/devices', 'Devices'],
  t: ['/timeline', 'Timeline'],
  e: ['/events', 'Events'],
  p: ['/presets', 'Presets'],
  c: ['/collections', 'Collections'],
  r: ['/rules', 'Rules'],
  a: ['/alerts', 'Alerts'],
  k: ['/keys', 'API keys'],
  s: ['/settings', 'Settings'],
};

const secondKeyMs = 1_500;

/** Focuses the search field in the navigation, or opens the search page where the field is hidden. */
function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search-transcripts]');
  if (search?.checkVisibility()) search.select();
  else navigate('/search');
}

/** Focuses the filter field of the page. Returns whether the page has one. */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('[data-search]');
  filter?.select();
  return filter !== null;
}

export function attachShortcuts(): () => void {
  let pressedAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const second = event.timeStamp - pressedAt < secondKeyMs ? goTo[event.key] : undefined;
    pressedAt = event.key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
    if (second) navigate(second[0]);
    else if (event.key === '/') focusSearch();
    else if (event.key === '?') showsShortcuts.value = true;
    else if (event.key === 'u') undoLast();
    else if (event.key !== 'f' || !focusFilter()) return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
