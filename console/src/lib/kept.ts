import { useState } from 'preact/hooks';
import { onSignOut } from './session.ts';

/*
 * What a page keeps for the entry of the browser's history on which it is shown: loaded pages, selection, scroll
 * position. When the user comes back to the entry, the page is as it was left. Kept in memory; only the scroll position
 * also outlives a reload.
 */

type Kept = Map<string, unknown>;

const mostEntries = 50;
const entries = new Map<string, Kept>();
let current: Kept = new Map();
let currentID = '';
let count = 0;
onSignOut(() => {
  entries.clear();
  current = new Map();
  entries.set(currentID, current);
});

export function newEntryID(): string {
  count += 1;
  return `${Date.now().toString(36)}-${count}`;
}

export const currentEntryID = (): string => currentID;

/** Called when another entry of the history is shown. The least recently shown entries are forgotten. */
export function beginEntry(id: string): void {
  current = entries.get(id) ?? new Map();
  currentID = id;
  entries.delete(id);
  entries.set(id, current);
  for (const [old] of entries) {
    if (entries.size <= mostEntries) break;
    entries.delete(old);
  }
}

export const keep = (name: string, value: unknown): void => void current.set(name, value);

export const keptValue = (name: string): unknown => current.get(name);

/** Like `useState`, and kept for the entry of the history. Another name begins with its own value. */
export function useKept<Value>(name: string, initial: Value): readonly [Value, (value: Value) => void] {
  const [, render] = useState({});
  const value = current.has(name) ? (current.get(name) as Value) : initial;
  const set = (next: Value) => {
    keep(name, next);
    render({});
  };
  return [value, set];
}

/** An object that is made once for the entry and the id, such as a list with its loaded pages for a filter. */
export function keepOnce<Value>(name: string, id: string, make: () => Value): Value {
  const kept = keptValue(name) as { readonly id: string; readonly value: Value } | undefined;
  if (kept?.id === id) return kept.value;
  const value = make();
  keep(name, { id, value });
  return value;
}

const storageName = (id: string): string => `earshot scroll ${id}`;

export function keepScroll(): void {
  keep('scroll', scrollY);
  try {
    sessionStorage.setItem(storageName(currentID), String(Math.round(scrollY)));
  } catch {
    // The storage is full or not allowed: only a reload then starts at the top.
  }
}

function keptScroll(): number {
  const known = keptValue('scroll');
  if (typeof known === 'number') return known;
  try {
    return Number(sessionStorage.getItem(storageName(currentID)) ?? 0);
  } catch {
    return 0;
  }
}

const longestRestoreMs = 8_000;
/** The page must keep its height for so many frames: what loads later may be above the position. */
const stableFrames = 6;
const ownMoves = ['wheel', 'touchstart', 'pointerdown', 'keydown'] as const;
let stopRestoring: (() => void) | undefined;

/** Scrolls to the kept position as soon as the page is long enough, unless the user scrolls first. */
export function restoreScroll(): void {
  stopRestoring?.();
  const top = keptScroll();
  // The start of a page is there at once; a page may scroll by itself, for example to a search hit.
  if (top === 0) return scrollTo(0, 0);
  const until = performance.now() + longestRestoreMs;
  let frame = 0;
  let stable = 0;
  let height = 0;
  const stop = () => {
    cancelAnimationFrame(frame);
    for (const name of ownMoves) removeEventListener(name, stop, true);
    stopRestoring = undefined;
  };
  const step = () => {
    const now = document.documentElement.scrollHeight;
    const isThere = Math.abs(scrollY - top) < 1;
    const isSameHeight = now === height;
    // The page was scrolled by something else.
    if (stable > 0 && isSameHeight && !isThere) return stop();
    stable = isSameHeight && isThere ? stable + 1 : 0;
    height = now;
    if (!isThere) scrollTo({ top, behavior: 'instant' });
    if (stable >= stableFrames || performance.now() > until) return stop();
    frame = requestAnimationFrame(step);
  };
  for (const name of ownMoves) addEventListener(name, stop, { capture: true, passive: true });
  stopRestoring = stop;
  step();
}
