import type { RefObject } from 'preact';
import { useEffect, useId, useLayoutEffect, useMemo, useRef, useState } from 'preact/hooks';
import { navigate } from '../../lib/location.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import type { PaletteEntry, PaletteGroup } from './entries.ts';
import { actionEntries, matching, pageEntries, recentEntries } from './entries.ts';
import { shortestAsked, sources } from './found.ts';
import type { PaletteMode } from './palette-state.ts';
import { closePalette } from './palette-state.ts';
import { recentPages } from './recent.ts';

const typingMs = 180;

export interface PaletteListProps {
  readonly text: string;
  readonly input: RefObject<HTMLInputElement | null>;
  readonly mode: PaletteMode;
}

/** The list below the field. The focus stays in the field; its arrow keys move the choice. */
export function PaletteList({ text, input, mode }: PaletteListProps) {
  const id = useId();
  const list = useRef<HTMLDivElement>(null);
  const { found, isAsking } = useFound(text);
  const groups = useMemo(() => groupsOf(text, mode, found), [text, mode, found, recentPages.value]);
  const entries = groups.flatMap((group) => group.entries);
  const [chosenID, setChosenID] = useState('');
  const at = Math.max(
    0,
    entries.findIndex((entry) => entry.id === chosenID),
  );
  const chosen = entries[at];
  const optionID = (entry: PaletteEntry) => `${id}-${entries.indexOf(entry)}`;

  // At once, not after the next paint: Enter, pressed right after a letter, must mean the text with that letter.
  useLayoutEffect(() => setChosenID(''), [text]);
  useLayoutEffect(() => {
    const field = input.current;
    if (!field) return;
    field.setAttribute('aria-controls', id);
    if (chosen) field.setAttribute('aria-activedescendant', optionID(chosen));
    else field.removeAttribute('aria-activedescendant');
    list.current?.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' });
    const onKey = (event: KeyboardEvent) => {
      const step = steps[event.key];
      if (event.isComposing || entries.length === 0) return;
      if (step !== undefined) setChosenID(entries.at(step(at, entries.length))?.id ?? '');
      else if (event.key === 'Enter' && chosen) choose(chosen);
      else return;
      event.preventDefault();
    };
    field.addEventListener('keydown', onKey);
    return () => field.removeEventListener('keydown', onKey);
  });

  return (
    <>
      <div class="palette-list" role="listbox" id={id} aria-label="Results" ref={list}>
        {groups.map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <p class="nav-heading" aria-hidden="true">
              {group.label}
            </p>
            {group.entries.map((entry) => (
              <div
                key={entry.id}
                id={optionID(entry)}
                class="palette-option"
                role="option"
                aria-selected={entry === chosen}
                onPointerMove={() => entry !== chosen && setChosenID(entry.id)}
                onClick={() => choose(entry)}
              >
                <Icon name={entry.icon} />
                <UserText text={entry.title} />
                {entry.under && (
                  <span class="palette-under">
                    <UserText text={entry.under} />
                  </span>
                )}
              </div>
            ))}
          </div>
        ))}
      </div>
      <p class="palette-state quiet" role="status">
        {isAsking ? 'Searching…' : text !== '' && `${entries.length} ${entries.length === 1 ? 'result' : 'results'}`}
      </p>
    </>
  );
}

const steps: Readonly<Record<string, (at: number, count: number) => number>> = {
  ArrowDown: (at, count) => (at + 1) % count,
  ArrowUp: (at, count) => (at - 1 + count) % count,
  PageDown: (at, count) => Math.min(at + 8, count - 1),
  PageUp: (at) => Math.max(at - 8, 0),
};

function choose({ target }: PaletteEntry): void {
  closePalette();
  if (typeof target !== 'string') return target();
  // The documentation and the API reference are pages of the server.
  if (/^\/(docs\/|api$)/.test(target)) location.assign(target);
  else navigate(target);
}

interface Found {
  readonly found: readonly PaletteGroup[];
  readonly isAsking: boolean;
}

/** What the server finds, as it comes: the groups keep their order. A new text stops the requests of the last. */
function useFound(text: string): Found {
  const [found, setFound] = useState<{ readonly text: string; readonly groups: readonly (PaletteGroup | undefined)[] }>(
    {
      text: '',
      groups: [],
    },
  );
  useEffect(() => {
    if (text.length < shortestAsked) return;
    const stop = new AbortController();
    const timer = setTimeout(() => {
      for (const [place, find] of sources.entries()) {
        const put = (group: PaletteGroup) => {
          if (stop.signal.aborted) return;
          setFound((before) => ({ text, groups: (before.text === text ? before.groups : none).with(place, group) }));
        };
        // What one of them does not find, the others may.
        find(text, stop.signal).then(put, () => put({ label: `${place}`, entries: [] }));
      }
    }, typingMs);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text]);
  const groups = found.text === text ? found.groups : none;
  return {
    found: useMemo(() => groups.filter((group) => group !== undefined), [groups]),
    isAsking: text.length >= shortestAsked && groups.some((group) => group === undefined),
  };
}

const none: readonly undefined[] = sources.map(() => undefined);

function groupsOf(text: string, mode: PaletteMode, found: readonly PaletteGroup[]): readonly PaletteGroup[] {
  const recent = { label: 'Recent', entries: recentEntries(recentPages.value) };
  const pages = { label: 'Pages', entries: pageEntries() };
  const actions = { label: 'Actions', entries: actionEntries() };
  if (text === '') return [recent, pages, actions].filter(({ entries }) => entries.length > 0);
  const search: PaletteGroup = {
    label: 'Search',
    entries: [
      {
        id: 'search',
        icon: 'search',
        title: `Search transcripts for “${text}”`,
        target: `/search?q=${encodeURIComponent(text)}`,
      },
    ],
  };
  const known = [pages, actions, recent]
    .map(({ label, entries }) => ({ label, ...matching(entries, text) }))
    .toSorted((a, b) => Number(b.isClose) - Number(a.isClose));
  const all = mode === 'search' ? [search, ...known, ...found] : [...known, ...found, search];
  return all.filter(({ entries }) => entries.length > 0);
}
