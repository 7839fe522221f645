import { createUser } from '@earshot/contract/user';
import { addVocabulary } from '@earshot/contract/vocabulary';
import type { Declared } from '../features/right/public.ts';
import { may } from '../features/right/public.ts';
import type { IconName } from '../lib/ui/icon.tsx';

export interface NavPlace {
  readonly href: string;
  readonly label: string;
  readonly icon: IconName;
  /** Other words for which the palette finds it. */
  readonly words?: string;
  /** Shown to people who may call this. */
  readonly needs?: Declared;
}

export interface PlaceGroup {
  readonly label: string;
  readonly places: readonly NavPlace[];
}

export const overviewPlace: NavPlace = { href: '/', label: 'Overview', icon: 'overview', words: 'home start' };
export const searchPlace: NavPlace = { href: '/search', label: 'Search', icon: 'search', words: 'transcripts words' };
const clips: NavPlace = { href: '/clips', label: 'Clips', icon: 'wave', words: 'recordings sound listen' };

const groups: readonly PlaceGroup[] = [
  {
    label: 'Listen',
    places: [
      clips,
      { href: '/timeline', label: 'Timeline', icon: 'timeline', words: 'day week coverage' },
      { href: '/upload', label: 'Add recordings', icon: 'add', words: 'upload files' },
    ],
  },
  {
    label: 'Watch',
    places: [
      { href: '/alerts', label: 'Alerts', icon: 'alert', words: 'told problems' },
      { href: '/rules', label: 'Rules', icon: 'rule', words: 'watch notify' },
      { href: '/channels', label: 'Channels', icon: 'link', words: 'mail push webhook chat told' },
    ],
  },
  {
    label: 'Fleet',
    places: [
      { href: '/devices', label: 'Devices', icon: 'device', words: 'recorders' },
      { href: '/collections', label: 'Collections', icon: 'collection', words: 'groups share' },
      { href: '/events', label: 'Events', icon: 'event', words: 'queue jobs commands' },
      { href: '/presets', label: 'Presets', icon: 'preset', words: 'events' },
      { href: '/bulk-jobs', label: 'Bulk jobs', icon: 'history', words: 'many devices progress failures' },
      { href: '/updates', label: 'Updates', icon: 'download', words: 'versions rollout agent' },
    ],
  },
  {
    label: 'Administration',
    places: [
      { href: '/people', label: 'People', icon: 'people', words: 'users accounts', needs: createUser },
      { href: '/teams', label: 'Teams', icon: 'team', words: 'people rota duty' },
      { href: '/vocabulary', label: 'Vocabulary', icon: 'tag', words: 'names terms', needs: addVocabulary },
      { href: '/keys', label: 'API keys', icon: 'key', words: 'programs access' },
      { href: '/upload-keys', label: 'Upload keys', icon: 'upload', words: 'recorders radio' },
      { href: '/audit', label: 'Audit trail', icon: 'history', words: 'who did what log' },
    ],
  },
];

/** Pages for the person who is signed in, by what people do there. */
export const placeGroups = (): readonly PlaceGroup[] =>
  groups.map(({ label, places }) => ({ label, places: places.filter(({ needs }) => !needs || may(needs)) }));

export const endPlaces: readonly NavPlace[] = [
  { href: '/settings', label: 'Settings', icon: 'settings', words: 'password theme sessions account' },
  { href: '/docs/', label: 'Documentation', icon: 'book', words: 'help guide' },
  { href: '/api', label: 'API reference', icon: 'code', words: 'openapi' },
];

/** On a phone these are in the bottom bar, beside the bell and "More". */
export const bottomPlaces: readonly NavPlace[] = [overviewPlace, clips, searchPlace];

/** Pages without a link in the navigation. */
export const morePlaces: readonly NavPlace[] = [
  { href: '/exports', label: 'Exports', icon: 'download', words: 'downloads clips' },
];
