import { signOutHere } from '../../features/session/public.ts';
import type { Theme } from '../../lib/theme.ts';
import { chooseTheme, chosenTheme } from '../../lib/theme.ts';
import { undoLast } from '../../lib/toasts.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import type { NavPlace } from '../places.ts';
import { endPlaces, morePlaces, overviewPlace, placeGroups, searchPlace } from '../places.ts';
import { showsShortcuts } from '../shortcuts.ts';
import type { RecentPage } from './recent.ts';

/** What the palette offers: something to open, or something to do. */
export interface PaletteEntry {
  readonly id: string;
  readonly icon: IconName;
  readonly title: string;
  readonly under?: string;
  readonly target: string | (() => void);
  /** Other words for which it is found. */
  readonly words?: string;
}

export interface PaletteGroup {
  readonly label: string;
  readonly entries: readonly PaletteEntry[];
}

const ofPlace = ({ href, label, icon, words }: NavPlace): PaletteEntry => ({
  id: href,
  icon,
  title: label,
  target: href,
  ...(words === undefined ? {} : { words }),
});

export const pageEntries = (): readonly PaletteEntry[] =>
  [overviewPlace, searchPlace, ...placeGroups().flatMap(({ places }) => places), ...morePlaces, ...endPlaces].map(
    ofPlace,
  );

const themeNames: Readonly<Record<Theme, string>> = {
  auto: 'the theme of the system',
  light: 'the light theme',
  dark: 'the dark theme',
};

export const actionEntries = (): readonly PaletteEntry[] => [
  { id: 'new rule', icon: 'rule', title: 'Write a rule', words: 'new create watch', target: '/rules/new' },
  { id: 'connect', icon: 'device', title: 'Connect a recorder', words: 'add device install new', target: '/connect' },
  { id: 'record', icon: 'microphone', title: 'Record with this microphone', words: 'new add', target: '/record' },
  ...(['auto', 'light', 'dark'] as const)
    .filter((theme) => theme !== chosenTheme())
    .map((theme) => ({
      id: `theme ${theme}`,
      icon: 'settings' as const,
      title: `Use ${themeNames[theme]}`,
      words: 'appearance colour dark light mode',
      target: () => chooseTheme(theme),
    })),
  { id: 'undo', icon: 'history', title: 'Undo the last action', target: () => void undoLast() },
  {
    id: 'shortcuts',
    icon: 'code',
    title: 'Show keyboard shortcuts',
    words: 'keys help',
    target: () => void (showsShortcuts.value = true),
  },
  { id: 'sign out', icon: 'leave', title: 'Sign out', words: 'log out leave', target: () => void signOutHere() },
];

const recentIcons: Readonly<Record<string, IconName>> = {
  clips: 'wave',
  devices: 'device',
  rules: 'rule',
  alerts: 'alert',
  events: 'event',
  collections: 'collection',
  search: 'search',
};

export const recentEntries = (pages: readonly RecentPage[]): readonly PaletteEntry[] =>
  pages.map(({ href, title }) => ({
    id: `recent ${href}`,
    icon: recentIcons[/^\/(\w+)/.exec(href)?.[1] ?? ''] ?? 'file',
    title,
    target: href,
  }));

/** In lower case without accents. */
const plain = (text: string): string => text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase();

export interface Matching {
  readonly entries: readonly PaletteEntry[];
  /** Whether one has the words in its title. */
  readonly isClose: boolean;
}

/** Entries that contain every typed word as the start of a word; those whose title has all of them stand first. */
export function matching(entries: readonly PaletteEntry[], typed: string): Matching {
  const wanted = plain(typed).split(/\s+/).filter(Boolean);
  const startsIn = (text: string) => {
    const words = plain(text).split(/[^\p{L}\p{N}]+/u);
    return wanted.every((word) => words.some((other) => other.startsWith(word)));
  };
  const inTitle = entries.filter(({ title }) => startsIn(title));
  const others = entries.filter((entry) => !inTitle.includes(entry) && startsIn(`${entry.title} ${entry.words ?? ''}`));
  return { entries: [...inTitle, ...others], isClose: inTitle.length > 0 };
}
