import type { Event } from '@earshot/contract/event';
import { describe, expect, test } from 'vitest';
import { followKinds, followList, followOne } from './follow.ts';
import type { Change } from './query.ts';
import { reload } from './query.ts';

type Listed = Event & { readonly deviceName?: string };

const change = (changes: Partial<Change>): Change => ({
  id: '1-1',
  event: 'event',
  change: 'changed',
  key: 7,
  deviceID: 1,
  ...changes,
});

describe('a list that follows changes', () => {
  const follow = followList<Listed>({ kind: 'event', keep: ['deviceName'], wants: ({ deviceID }) => deviceID === 1 });
  const list: readonly Listed[] = [
    { key: 7, eventStatus: 3, result: 'half way', deviceName: 'North gate' },
    { key: 5, eventStatus: 1, deviceName: 'Harbour' },
  ];

  test('replaces a changed record, keeps the names, and drops cleared fields', () => {
    const next = follow(list, change({ record: { key: 7, eventStatus: 4 } }));
    expect(next).toEqual([{ key: 7, eventStatus: 4, deviceName: 'North gate' }, list[1]]);
  });

  test('drops a removed record', () => {
    expect(follow(list, change({ change: 'removed' }))).toEqual([list[1]]);
    expect(follow(list, change({ change: 'removed', key: 99 }))).toBe(list);
  });

  test('reloads for a new record that may belong to the list', () => {
    expect(follow(list, change({ key: 9, record: { key: 9 } }))).toBe(reload);
    expect(follow(list, change({ key: 9, deviceID: 2, record: { key: 9 } }))).toBe(list);
  });

  test('reloads when visibility changes', () => {
    expect(follow(list, change({ event: 'collection', key: 3 }))).toBe(reload);
    expect(follow(list, change({ event: 'device', change: 'removed', key: 1 }))).toBe(reload);
    expect(follow(list, change({ event: 'device', key: 1 }))).toBe(list);
  });
});

test('a record follows its own changes, and is reloaded when it is removed', () => {
  const follow = followOne<Event>('event');
  const record: Event = { key: 7, eventStatus: 3 };
  expect(follow(record, change({ record: { key: 7, eventStatus: 4 } }))).toEqual({ key: 7, eventStatus: 4 });
  expect(follow(record, change({ key: 8, record: { key: 8 } }))).toBe(record);
  expect(follow(record, change({ change: 'removed' }))).toBe(reload);
});

test('data that only the server can compute is reloaded when a record of its kinds changes', () => {
  const data = {};
  expect(followKinds('event')(data, change({}))).toBe(reload);
  expect(followKinds('agent')(data, change({}))).toBe(data);
});
