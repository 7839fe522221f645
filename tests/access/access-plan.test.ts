import { Agent } from '@earshot/contract/agent';
import { Device } from '@earshot/contract/device';
import type { Operation } from '@earshot/contract/operation';
import { operation } from '@earshot/contract/operation';
import { operations } from '@earshot/contract/operations';
import { PathKey, text } from '@earshot/contract/values';
import { startTestServer } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import { uncovered } from './coverage.ts';
import { kinds } from './fixtures.ts';
import type { Kinds } from './plan.ts';
import { planAccess } from './plan.ts';
import { createWorlds, faultsOf } from './run-row.ts';

/** An operation that does not exist; each test changes the part that it is about. */
const measureNoise = operation('device', {
  method: 'GET',
  path: '/v1/device/{deviceID}/noise',
  summary: 'Measure the noise around a device',
  access: 'caller',
  acts: [{ record: 'device', right: 'write', by: 'params.deviceID' }],
  params: { deviceID: PathKey },
  answer: Device,
});

const changed = (changes: Readonly<Record<string, unknown>>): Operation => ({ ...measureNoise, ...changes });
const plan = (made: Operation) => planAccess([['measureNoise', made]], kinds);
const gapsOf = (changes: Readonly<Record<string, unknown>>) => plan(changed(changes)).gaps;

test('a new operation on a known kind of record gets its rows without further code', () => {
  const { rows, gaps } = plan(measureNoise);
  expect(gaps).toEqual([]);
  expect(uncovered([['measureNoise', measureNoise]], rows, kinds)).toEqual([]);
  expect(rows.map(({ situation, answer }) => `${situation}: ${String(answer)}`)).toEqual([
    'without credentials: 401',
    'in an expired session: 419',
    'with a deleted API key: 401',
    'from another site: 403',
    'with an API key: success',
    'with the key of the device: 403',
    'with the key of another device: 403',
    'with a write-only key of the device: 403',
    'by an admin: success',
    "with another member's record: 404",
    'by a reader: 403',
    'by a writer: success',
    'by the owner: success',
    'with an unknown record in params.deviceID: 404',
  ]);
});

test('statuses that an act declares instead of 404 and 403 are expected', () => {
  const acts = [{ record: 'device', right: 'own', by: 'params.deviceID', hidden: 400, denied: 400 }];
  const answers = plan(changed({ acts, access: 'agent' })).rows.map(
    ({ situation, answer }) => `${situation}: ${String(answer)}`,
  );
  expect(answers).toEqual(
    expect.arrayContaining([
      "with another member's record: 400",
      'by a reader: 400',
      'by a writer: 400',
      'with the key of another device: 400',
      'with the key of the device: success',
      'with a write-only key of the device: 403',
    ]),
  );
});

test.each([
  {
    title: 'an unknown kind of record in an act',
    changes: { acts: [{ record: 'microphone', right: 'read', by: 'params.deviceID' }] },
    gap: 'there is no fixture for the record kind microphone',
  },
  {
    title: 'an unknown kind of record in a list',
    changes: { lists: 'microphone', answer: operations.listAgents.answer },
    gap: 'there is no fixture for the record kind microphone',
  },
  {
    title: 'a path parameter that no act names',
    changes: { acts: [] },
    gap: 'no act names the path parameter deviceID',
  },
  {
    title: 'an act that names a missing part of the request',
    changes: { acts: [...measureNoise.acts, { record: 'device', right: 'read', by: 'body.deviceID' }] },
    gap: 'an act names body.deviceID, which the request does not have',
  },
  {
    title: 'a text that no fixture has',
    changes: {
      body: operations.createCollection.body,
      acts: [...measureNoise.acts, { record: 'device', right: 'read', by: 'body.collectionName' }],
    },
    gap: 'no fixture has a text for body.collectionName',
  },
  {
    title: 'a required field without an example',
    changes: { body: { type: 'object', required: ['level'], properties: { level: text(10) } } },
    gap: 'body.level is required and has no example',
  },
  {
    title: 'a list whose records have no keys',
    changes: { lists: 'agent', answer: Agent },
    gap: 'its list is not one of records with keys',
  },
  {
    title: 'an unknown access',
    changes: { access: 'robot' },
    gap: 'the access robot is unknown',
  },
])('$title fails the table', ({ changes, gap }) => {
  expect(gapsOf(changes)).toEqual([`measureNoise: ${gap}`]);
});

test('an operation without rows fails the table', () => {
  expect(uncovered([['measureNoise', measureNoise]], [], kinds)).toEqual([
    'measureNoise: nothing tries no credential',
    'measureNoise: nothing tries an expired session',
    'measureNoise: nothing tries a deleted API key',
    'measureNoise: nothing tries a key of another device',
    'measureNoise: nothing tries a write-only key',
    'measureNoise: nothing tries a caller who is not refused',
    'measureNoise: nothing tries an unknown record in params.deviceID',
    "measureNoise: nothing tries another member's record in params.deviceID",
    "measureNoise: nothing tries a reader's record in params.deviceID",
  ]);
  expect(uncovered([['getHealth', operations.getHealth]], [], kinds)).toEqual([
    'getHealth: nothing tries an answer without credentials',
  ]);
});

test('the table detects a server that permits more or less than is declared', async () => {
  const server = await startTestServer();
  onTestFinished(() => server.stop());
  const worldFor = createWorlds(server);
  const faultySituations = async (made: Operation, facts: Kinds = kinds) => {
    const found: string[] = [];
    for (const row of planAccess([['measureNoise', made]], facts).rows) {
      if ((await faultsOf(await worldFor(made, row), made, row)).length > 0) found.push(row.situation);
    }
    return found;
  };
  // Served unchanged, but declared differently.
  const { getDevice, createDevice } = operations;
  const write = [{ ...getDevice.acts[0], right: 'write' }] as const;
  expect(await faultySituations({ ...getDevice, acts: write } as Operation)).toEqual(['by a reader']);
  expect(await faultySituations({ ...createDevice, access: 'session' } as unknown as Operation)).toEqual([
    'with an API key',
  ]);
  expect(await faultySituations({ ...createDevice, access: 'agent' } as unknown as Operation)).toEqual([
    'with the key of the device',
    'with the key of another device',
  ]);
  expect(
    await faultySituations({ ...createDevice, access: 'agent', writeOnlyKeys: 'allowed' } as unknown as Operation),
  ).toEqual([
    'with the key of the device',
    'with the key of another device',
    'with a write-only key of the device',
    'with a write-only key of another device',
  ]);
  expect(await faultySituations({ ...getDevice, writeOnlyKeys: 'refused' })).toEqual([
    'with a write-only key of the device',
    'with a write-only key of another device',
  ]);
  expect(await faultySituations({ ...getDevice, path: '/v1/devices/{deviceID}' })).toContain('by the owner');

  const unlent: Kinds = {
    ...kinds,
    device: { ...kinds.device, gives: (standing) => (standing === 'own' ? 'own' : 'none') },
  };
  const leaks = await faultySituations(operations.listDevices, unlent);
  expect(leaks).toEqual(['listing all, by a member', 'listing all, with an API key']);
});
