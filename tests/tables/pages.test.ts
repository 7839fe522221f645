import type { Client } from '@earshot/client/client';
import type { KeyPageFilter } from '@earshot/contract/api-key-page';
import { keySorts } from '@earshot/contract/api-key-page';
import type { PresetPageFilter } from '@earshot/contract/event-preset-page';
import { presetSorts } from '@earshot/contract/event-preset-page';
import type { UserPageFilter } from '@earshot/contract/user-page';
import { userSorts } from '@earshot/contract/user-page';
import type { Person } from '@earshot/server/testing/person';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { addDevice, refusedWith } from '@earshot/server/features/event/tests/fleet';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

/* The tables of presets, API keys, people and events: one mechanism, so the same rules for each. */

type Row = Readonly<Record<string, unknown>> & { readonly key: number };

interface Page {
  readonly results: readonly Row[];
  readonly total: number;
  readonly isExact: boolean;
  readonly next?: string;
}

interface Request {
  readonly sortBy?: string;
  readonly order?: string;
  readonly count?: number;
  readonly cursor?: string;
  readonly searchText?: string;
}

interface Listed {
  readonly sorts: readonly string[];
  readonly page: (client: Client, body: Request) => Promise<Page>;
  readonly valueOf: (row: Row, sort: string) => string | undefined;
}

/** The requests of tests name orders as texts, and rows are compared field by field. */
const asPage = (page: unknown): Page => page as Page;
const text = (value: unknown): string | undefined => (typeof value === 'string' ? value.toLowerCase() : undefined);

const tables: Readonly<Record<string, Listed>> = {
  presets: {
    sorts: presetSorts,
    page: async (client, body) => asPage(await client.listPresetPage({ body: body as PresetPageFilter })),
    valueOf: (row, sort) => text(row[sort]),
  },
  keys: {
    sorts: keySorts,
    page: async (client, body) => asPage(await client.listKeyPage({ body: body as KeyPageFilter })),
    valueOf: (row, sort) => text(row[sort]),
  },
  people: {
    sorts: userSorts,
    page: async (client, body) => asPage(await client.listUserPage({ body: body as UserPageFilter })),
    valueOf: (row, sort) => text(row[sort]),
  },
};

let server: TestServer;
let admin: Client;
let owner: Person;
let member: Person;
const names = ['Äther', 'bell', 'Bell', 'zebra', 'Zulu', 'a'];

beforeAll(async () => {
  server = await startTestServer();
  admin = server.admin.session;
  [owner, member] = [await server.addPerson(), await server.addPerson()];
  const { deviceID } = await addDevice(owner.session, { deviceName: 'Mill pond' });
  for (const [at, eventPresetName] of [...names, undefined, undefined].entries()) {
    const named = eventPresetName === undefined ? {} : { eventPresetName };
    await owner.session.createEventPreset({
      body: { ...named, deviceID, eventType: at % 2 ? 'Reboot' : 'Start_recording' },
    });
    const { key: apiKeyID = 0 } = await owner.session.createApiKey();
    const aPIKeyDescription = eventPresetName === undefined ? null : `${eventPresetName}${'.'.repeat(3_000)}`;
    await owner.session.updateApiKey({ params: { apiKeyID }, body: { aPIKeyDescription } });
    const displayName = eventPresetName ?? null;
    await admin.createUser({
      body: { email: `p${at % 3}${at}@example.org`, displayName, password: 'a long password' },
    });
  }
});
afterAll(() => server.stop());

async function walk(table: Listed, request: Request): Promise<readonly Row[]> {
  const rows: Row[] = [];
  let cursor: string | undefined;
  do {
    const page = await table.page(admin, { ...request, count: 3, ...(cursor === undefined ? {} : { cursor }) });
    expect(page.results.length).toBeLessThanOrEqual(3);
    rows.push(...page.results);
    cursor = page.next;
  } while (cursor !== undefined);
  return rows;
}

/** Rows without the value come last in both directions; texts are compared by their bytes. */
function compare(table: Listed, sort: string, sign: number) {
  return (a: Row, b: Row): number => {
    const [one, other] = [table.valueOf(a, sort), table.valueOf(b, sort)];
    if (one === undefined || other === undefined) {
      if (one !== other) return one === undefined ? 1 : -1;
    } else if (one !== other) return sign * Buffer.compare(Buffer.from(one), Buffer.from(other));
    return sign * (a.key - b.key);
  };
}

const orders = Object.entries(tables).flatMap(([name, table]) =>
  table.sorts.flatMap((sort) => ['asc', 'desc'].map((order) => [name, sort, order] as const)),
);

test.each(orders)('pages of %s by %s %s have every row once, in order', async (name, sortBy, order) => {
  const table = tables[name]!;
  const all = await table.page(admin, { count: 1_000 });
  const rows = await walk(table, { sortBy, order });
  const expected = all.results.toSorted(compare(table, sortBy, order === 'asc' ? 1 : -1));
  expect(rows.map(({ key }) => key)).toEqual(expected.map(({ key }) => key));
  expect(all).toMatchObject({ total: rows.length, isExact: true });
});

test.each(Object.entries(tables))('a cursor of another order of %s is refused', async (_name, table) => {
  const [first = '', other = ''] = table.sorts;
  const { next } = await table.page(admin, { sortBy: first, count: 1 });
  const asked = table.page(admin, { sortBy: other, count: 1, cursor: next ?? '' });
  await expect(asked).rejects.toEqual(refusedWith(400, /cursor/));
});

test('a cursor at a row without a value is refused where every row has it', async () => {
  const cursor = Buffer.from(JSON.stringify([1, 'creationDate', null, 1])).toString('base64url');
  for (const table of Object.values(tables)) {
    const asked = table.page(admin, { sortBy: 'creationDate', cursor });
    await expect(asked).rejects.toEqual(refusedWith(400, /cursor/));
  }
  await expect(admin.listSortedEvents({ body: { cursor } })).rejects.toEqual(refusedWith(400, /cursor/));
});

test('presets are found by name, type and device, with what may be done with them', async () => {
  const found = async (person: Person, searchText: string) =>
    (await person.session.listPresetPage({ body: { searchText } })).results;
  expect((await found(owner, 'BELL')).map(({ eventPresetName }) => eventPresetName)).toEqual(['bell', 'Bell']);
  expect(await found(owner, 'mill')).toHaveLength(8);
  expect(await found(owner, 'reboot')).toHaveLength(4);
  expect(await found(owner, '100%')).toEqual([]);
  expect((await found(owner, 'zebra'))[0]).toMatchObject({ deviceName: 'Mill pond', mayWrite: true, mayRun: true });
  expect(await found(member, '')).toEqual([]);
});

test('a preset of a collection may be run by those who may write to each of its devices', async () => {
  const body = { collectionName: 'Quay', memberAccess: 'write' } as const;
  const { key: collectionID = 0 } = await admin.createCollection({ body });
  const params = { collectionID };
  await admin.addCollectionItems({ params, body: { itemType: 'user', itemIDs: [member.userID] } });
  const { deviceID } = await addDevice(admin);
  await admin.addCollectionItems({ params, body: { itemType: 'device', itemIDs: [deviceID] } });
  const preset = { eventPresetName: 'All of the quay', deviceGroupID: collectionID, eventType: 'Restart_agents' };
  const { key: eventPresetID = 0 } = await member.session.createEventPreset({ body: preset });
  const row = async () => (await member.session.listPresetPage({ body: {} })).results[0];
  expect(await row()).toMatchObject({ collectionName: 'Quay', mayWrite: true, mayRun: true });

  // Another device that the member may read, and not write.
  const readable = await admin.createCollection({ body: { collectionName: 'For reading' } });
  const { deviceID: lent } = await addDevice(admin);
  const lending = { collectionID: readable.key ?? 0 };
  await admin.addCollectionItems({ params: lending, body: { itemType: 'device', itemIDs: [lent] } });
  await admin.addCollectionItems({ params: lending, body: { itemType: 'user', itemIDs: [member.userID] } });
  await member.session.addCollectionItems({ params, body: { itemType: 'device', itemIDs: [lent] } });
  expect(await row()).toMatchObject({ mayWrite: true, mayRun: false });
  await expect(member.session.runEventPreset({ params: { eventPresetID }, body: {} })).rejects.toEqual(
    refusedWith(403),
  );

  await admin.updateCollection({ params, body: { memberAccess: 'read' } });
  expect(await row()).toMatchObject({ mayWrite: false, mayRun: false });
});

test('a preset of what only the owner of a device may send is run by the owner and admins alone', async () => {
  const shared = await owner.session.createCollection({ body: { collectionName: 'Lock', memberAccess: 'write' } });
  const params = { collectionID: shared.key ?? 0 };
  await owner.session.addCollectionItems({ params, body: { itemType: 'user', itemIDs: [member.userID] } });
  const { deviceID } = await addDevice(owner.session, { deviceName: 'Lock gate' });
  await owner.session.addCollectionItems({ params, body: { itemType: 'device', itemIDs: [deviceID] } });
  for (const target of [{ deviceID }, { deviceGroupID: params.collectionID }]) {
    const body = { eventPresetName: 'Restart the lock', eventType: 'Reboot', ...target };
    const { key: eventPresetID = 0 } = await owner.session.createEventPreset({ body });
    const listed = async (session: Client) =>
      (await session.listPresetPage({ body: { searchText: 'Restart the lock' } })).results.find(
        ({ key }) => key === eventPresetID,
      );
    expect(await listed(owner.session)).toMatchObject({ mayRun: true });
    expect(await listed(admin)).toMatchObject({ mayRun: true });
    expect(await listed(member.session)).toMatchObject({ mayWrite: true, mayRun: false });
    await expect(member.session.runEventPreset({ params: { eventPresetID }, body: {} })).rejects.toEqual(
      refusedWith(403),
    );
  }
});

test('keys are found by their use, kind and names; others see none of them', async () => {
  const { session } = owner;
  const { deviceID } = await addDevice(session, { deviceName: 'Harbour' });
  const made = await session.createDeviceKey({ params: { deviceID }, body: { isWriteOnly: true } });
  const page = async (body: object) => (await session.listKeyPage({ body })).results;
  expect(await page({ isOfDevice: true })).toMatchObject([{ key: made.key, deviceName: 'Harbour', isWriteOnly: true }]);
  expect(await page({ isOfDevice: false })).toHaveLength(8);
  expect(await page({ searchText: 'harbour' })).toHaveLength(1);
  expect((await page({ isOfDevice: true }))[0]).not.toHaveProperty('secretKey');
  const used = (await page({ searchText: 'zebra' }))[0]!;
  await server.db`update api_keys set last_access_date = now() where key = ${used.key}`;
  const unused = await page({ unusedSince: new Date(Date.now() - 60_000).toISOString() });
  expect(unused).toHaveLength(8);
  expect(unused.map(({ key }) => key)).not.toContain(used.key);
  expect((await member.session.listKeyPage({ body: {} })).results).toEqual([]);
});

test('people are found by name, email, role and state, by admins alone', async () => {
  const page = async (body: object) => (await admin.listUserPage({ body })).results;
  expect((await page({ searchText: 'bell' })).map(({ displayName }) => displayName)).toEqual(['bell', 'Bell']);
  expect((await page({ role: 'admin' })).map(({ key }) => key)).toEqual([server.admin.userID]);
  const [someone] = await page({ searchText: 'zulu' });
  await admin.updateUser({ params: { userID: someone!.key }, body: { disabled: true } });
  expect((await page({ isDisabled: true })).map(({ key }) => key)).toEqual([someone!.key]);
  expect(await page({ isDisabled: false, searchText: 'zulu' })).toEqual([]);
  await expect(member.session.listUserPage({ body: {} })).rejects.toEqual(refusedWith(403));
});

describe('events', () => {
  test('are counted and paged in both directions, by state, type, device and kind', async () => {
    const { deviceID } = await addDevice(owner.session);
    const body = { deviceID, eventType: 'Reboot' };
    const keys: number[] = [];
    for (let at = 0; at < 7; at += 1) keys.push((await owner.session.createEvent({ body })).key ?? 0);
    const other = await owner.session.createEvent({ body: { deviceID, eventType: 'Start_recording' } });
    await server.db`update events set event_status = 5 where key = any(${keys.slice(0, 2)}::bigint[])`;
    const page = (filter: object) => owner.session.listSortedEvents({ body: { deviceID, ...filter } });
    const listed: number[] = [];
    let cursor: string | undefined;
    do {
      const found = await page({ order: 'desc', count: 3, ...(cursor === undefined ? {} : { cursor }) });
      expect(found).toMatchObject({ total: 8, isExact: true });
      listed.push(...found.results.map(({ key }) => key));
      cursor = found.next;
    } while (cursor !== undefined);
    expect(listed).toEqual([...keys, other.key ?? 0].toReversed());
    expect((await page({ count: 1 })).results[0]?.key).toBe(keys[0]);
    expect(await page({ eventState: 'failed' })).toMatchObject({ total: 2 });
    expect(await page({ eventState: 'open', eventType: 'reboot' })).toMatchObject({ total: 5 });
    expect((await page({ eventType: 'start_RECORDING' })).results.map(({ key }) => key)).toEqual([other.key]);
    expect(await page({ eventType: 'No_such_type' })).toMatchObject({ total: 0, results: [] });
    expect(await page({ serverEvent: 1 })).toMatchObject({ total: 0 });
    await expect(member.session.listSortedEvents({ body: { deviceID } })).rejects.toEqual(refusedWith(404));
    expect(await member.session.listSortedEvents({ body: {} })).toMatchObject({ total: 0 });
  });

  test('are counted to 10,000', async () => {
    const { deviceID } = await addDevice(owner.session);
    await server.db`
      insert into events (device_id, agent_type_id, event_type_id, server_event, event_status)
      select ${deviceID}, 1, 1, 0, 4 from generate_series(1, 10000)`;
    const count = () => owner.session.listSortedEvents({ body: { deviceID, count: 1 } });
    expect(await count()).toMatchObject({ total: 10_000, isExact: true });
    await owner.session.createEvent({ body: { deviceID, eventType: 'Reboot' } });
    expect(await count()).toMatchObject({ total: 10_000, isExact: false });
  });
});
