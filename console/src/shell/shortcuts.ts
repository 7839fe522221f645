import { signal } from '@preact/signals';
import { navigate } from '../lib/location.ts';
import { isTyping } from '../lib/page-keys.ts';
import { undoLast } from '../lib/toasts.ts';
import { openPalette } from './palette/palette-state.ts';

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

/** Focuses the search field of the page, or opens the palette; the search page on a phone. */
function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search-transcripts]');
  if (search) search.select();
  else if (document.querySelector('.side .search-box')?.checkVisibility()) openPalette('search');
  else navigate('/search');
}

/** Focuses the filter field of the page. Returns whether the page has one. */
function focusFilter(): boolean {
  const filter = document.querySelector<HTMLInputElement>('[data-search]');
  filter?.select();
  return filter !== null;
}

/** Also while a person types. */
const isPaletteKey = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): boolean =>
  key.toLowerCase() === 'k' && ctrlKey !== metaKey && !altKey && !shiftKey;

export function attachShortcuts(): () => void {
  let pressedAt = Number.NEGATIVE_INFINITY;
  const onKey = (event: KeyboardEvent) => {
    if (isPaletteKey(event)) {
      event.preventDefault();
      if (!document.querySelector('dialog[open]')) openPalette('go');
      return;
    }
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
