import { expect, test, vi } from 'vitest';

vi.stubGlobal('location', { origin: 'http://localhost', pathname: '/', search: '' });
vi.stubGlobal('sessionStorage', { getItem: () => null, setItem: () => {} });
const { matching } = await import('./entries.ts');
const { recentPageOf, withRecent } = await import('./recent.ts');

const of = (title: string, words = '') => ({ id: title, icon: 'file' as const, title, words, target: '/' });
const entries = [of('Events', 'queue'), of('Presets', 'events'), of('Café north', ''), of('API keys', 'programs')];

test.each([
  ['ev', ['Events', 'Presets']],
  ['queue', ['Events']],
  ['cafe', ['Café north']],
  ['north cafe', ['Café north']],
  ['ent', []],
  ['keys programs', ['API keys']],
])('%j finds %j: starts of words in any order, titles first', (typed, titles) => {
  expect(matching(entries, typed).entries.map(({ title }) => title)).toEqual(titles);
});

test('pages of one record and searches are kept by their title, the newest first and once', () => {
  expect(recentPageOf('/devices/5', '?tab=log', 'Gate · Earshot')).toEqual({ href: '/devices/5', title: 'Gate' });
  expect(recentPageOf('/search', '?q=ferry+fog', 'Search · Earshot')?.title).toBe('Search: ferry fog');
  expect(recentPageOf('/search', '', 'Search · Earshot')).toBeUndefined();
  expect(recentPageOf('/devices', '', 'Devices · Earshot')).toBeUndefined();
  expect(recentPageOf('/devices/9', '', 'Not found · Earshot')).toBeUndefined();
  const pages = Array.from({ length: 8 }, (_, at) => ({ href: `/devices/${at}`, title: `${at}` }));
  const kept = withRecent(pages, { href: '/devices/3', title: 'Renamed' });
  expect(kept.map(({ title }) => title)).toEqual(['Renamed', '0', '1', '2', '4', '5', '6', '7']);
  expect(withRecent(pages, { href: '/clips/1', title: 'New' })).toHaveLength(8);
});
