import { signal } from '@preact/signals';
import { go } from './router.ts';

export const showsShortcuts = signal(false);

/** `g`, then the letter. */
export const goTo: Readonly<Record<string, readonly [address: string, name: string]>> = {
  o: ['/', 'Overview'],
  d: ['/devices', 'Devices'],
  a: ['/clips', 'Clips'],
  e: ['/events', 'Events'],
  p: ['/presets', 'Presets'],
  c: ['/collections', 'Collections'],
  k: ['/keys', 'API keys'],
  s: ['/settings', 'Settings'],
};

const secondKeyMs = 1_500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && (target.isContentEditable || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName));

/** Where a search is on the page, it gets the focus; else the devices have one. */
function focusSearch(): void {
  const search = document.querySelector<HTMLInputElement>('[data-search]');
  if (search) return search.select();
  go('/devices?find=');
}

export function listenToKeys(): () => void {
  let pressedAt = 0;
  const onKey = (event: KeyboardEvent) => {
    if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
    if (document.querySelector('dialog[open]')) return;
    const second = event.timeStamp - pressedAt < secondKeyMs ? goTo[event.key] : undefined;
    pressedAt = event.key === 'g' ? event.timeStamp : 0;
    if (second) go(second[0]);
    else if (event.key === '/') focusSearch();
    else if (event.key === '?') showsShortcuts.value = true;
    else return;
    event.preventDefault();
  };
  document.addEventListener('keydown', onKey);
  return () => document.removeEventListener('keydown', onKey);
}
