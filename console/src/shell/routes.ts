import { createUser } from '@earshot/contract/user';
import { addVocabulary } from '@earshot/contract/vocabulary';
import type { ComponentType } from 'preact';
import type { Declared } from '../features/right/public.ts';
import type { PageProps } from '../lib/lazy-page.tsx';

interface Route {
  readonly pattern: RegExp;
  readonly title: string;
  readonly load: () => Promise<ComponentType<PageProps>>;
  /** The page is for people who may call this. */
  readonly needs?: Declared;
}

/** The code of a page is loaded when the page is opened first. */
const routes: readonly Route[] = [
  {
    pattern: /^\/$/,
    title: 'Overview',
    load: async () => (await import('../features/overview/page.tsx')).OverviewPage,
  },
  {
    pattern: /^\/search$/,
    title: 'Search',
    load: async () => (await import('../features/search/page.tsx')).SearchPage,
  },
  {
    pattern: /^\/clips\/(\d{1,15})$/,
    title: 'Listen',
    load: async () => (await import('../features/listen/page.tsx')).ListenPage,
  },
  {
    pattern: /^\/devices$/,
    title: 'Devices',
    load: async () => (await import('../features/device-list/list-page.tsx')).DevicesPage,
  },
  {
    pattern: /^\/devices\/(\d{1,15})$/,
    title: 'Device',
    load: async () => (await import('../features/device-page/page.tsx')).DevicePage,
  },
  {
    pattern: /^\/clips$/,
    title: 'Clips',
    load: async () => (await import('../features/audio-clip/list-page.tsx')).ClipsPage,
  },
  {
    pattern: /^\/exports$/,
    title: 'Exports',
    load: async () => (await import('../features/audio-clip/exports-page.tsx')).ExportsPage,
  },
  {
    pattern: /^\/rules$/,
    title: 'Rules',
    load: async () => (await import('../features/rule/list-page.tsx')).RulesPage,
  },
  {
    pattern: /^\/rules\/new$/,
    title: 'New rule',
    load: async () => (await import('../features/rule/new-page.tsx')).NewRulePage,
  },
  {
    pattern: /^\/rules\/(\d{1,15})$/,
    title: 'Rule',
    load: async () => (await import('../features/rule/page.tsx')).RulePage,
  },
  {
    // An address of its own: leaving it asks about changes that are not saved.
    pattern: /^\/rules\/(\d{1,15})\/edit$/,
    title: 'Rule',
    load: async () => (await import('../features/rule/page.tsx')).RulePage,
  },
  {
    pattern: /^\/alerts$/,
    title: 'Alerts',
    load: async () => (await import('../features/alert/list-page.tsx')).AlertsPage,
  },
  {
    pattern: /^\/alerts\/(\d{1,15})$/,
    title: 'Alert',
    load: async () => (await import('../features/alert/page.tsx')).AlertPage,
  },
  {
    pattern: /^\/upload$/,
    title: 'Add recordings',
    load: async () => (await import('../features/upload/page.tsx')).UploadPage,
  },
  {
    pattern: /^\/record$/,
    title: 'Record',
    load: async () => (await import('../features/upload/record-page.tsx')).RecordPage,
  },
  {
    pattern: /^\/connect$/,
    title: 'Connect a recorder',
    load: async () => (await import('../features/first-steps/connect-page.tsx')).ConnectPage,
  },
  {
    pattern: /^\/timeline$/,
    title: 'Timeline',
    load: async () => (await import('../features/timeline/page.tsx')).TimelinePage,
  },
  {
    pattern: /^\/events$/,
    title: 'Events',
    load: async () => (await import('../features/event/list-page.tsx')).EventsPage,
  },
  {
    pattern: /^\/events\/(\d{1,15})$/,
    title: 'Event',
    load: async () => (await import('../features/event/page.tsx')).EventView,
  },
  {
    pattern: /^\/presets$/,
    title: 'Presets',
    load: async () => (await import('../features/event-preset/page.tsx')).PresetsPage,
  },
  {
    pattern: /^\/bulk-jobs$/,
    title: 'Bulk jobs',
    load: async () => (await import('../features/bulk-job/page.tsx')).BulkJobsPage,
  },
  {
    pattern: /^\/updates$/,
    title: 'Updates',
    load: async () => (await import('../features/rollout/page.tsx')).UpdatesPage,
  },
  {
    pattern: /^\/collections$/,
    title: 'Collections',
    load: async () => (await import('../features/collection/list-page.tsx')).CollectionsPage,
  },
  {
    pattern: /^\/collections\/(\d{1,15})$/,
    title: 'Collection',
    load: async () => (await import('../features/collection/page.tsx')).CollectionPage,
  },
  {
    pattern: /^\/teams$/,
    title: 'Teams',
    load: async () => (await import('../features/team-page/list-page.tsx')).TeamsPage,
  },
  {
    pattern: /^\/teams\/(\d{1,15})$/,
    title: 'Team',
    load: async () => (await import('../features/team-page/page.tsx')).TeamPage,
  },
  {
    // Also for the person themselves.
    pattern: /^\/people\/(\d{1,15})$/,
    title: 'Person',
    load: async () => (await import('../features/team-page/person-page.tsx')).PersonPage,
  },
  {
    pattern: /^\/people$/,
    title: 'People',
    needs: createUser,
    load: async () => (await import('../features/user/page.tsx')).PeoplePage,
  },
  {
    pattern: /^\/vocabulary$/,
    title: 'Vocabulary',
    needs: addVocabulary,
    load: async () => (await import('../features/vocabulary/page.tsx')).VocabularyPage,
  },
  {
    pattern: /^\/keys$/,
    title: 'API keys',
    load: async () => (await import('../features/api-key/page.tsx')).KeysPage,
  },
  {
    pattern: /^\/upload-keys$/,
    title: 'Upload keys',
    load: async () => (await import('../features/upload-key/page.tsx')).UploadKeysPage,
  },
  {
    pattern: /^\/channels$/,
    title: 'Channels',
    load: async () => (await import('../features/channel/page.tsx')).ChannelsPage,
  },
  {
    pattern: /^\/audit$/,
    title: 'Audit trail',
    load: async () => (await import('../features/audit/page.tsx')).AuditPage,
  },
  {
    pattern: /^\/settings$/,
    title: 'Settings',
    load: async () => (await import('../features/session/settings-page.tsx')).SettingsPage,
  },
];

// Left out of the build.
const developmentRoutes: readonly Route[] = import.meta.env.DEV
  ? [{ pattern: /^\/parts$/, title: 'Parts', load: async () => (await import('./parts-page.tsx')).PartsPage }]
  : [];

export interface Match {
  readonly route: Route;
  readonly id: number;
}

export function matchRoute(path: string): Match | undefined {
  const clean = path.length > 1 ? path.replace(/\/+$/, '') : path;
  for (const route of [...routes, ...developmentRoutes]) {
    const found = route.pattern.exec(clean);
    if (found) return { route, id: Number(found[1] ?? 0) };
  }
  return undefined;
}
