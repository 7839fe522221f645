import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Patching } from './patching.ts';
import { openPatching, whole } from './patching.ts';
import { expectProblem, wrongFields } from './problems.ts';

let server: SharedServer;
let patching: Patching;
beforeAll(async () => {
  server = await sharedTestServer();
  patching = await openPatching(server);
});
beforeEach(() => patching.reset());

const refused: Patching['refused'] = (...given) => patching.refused(...given);
const patched: Patching['patched'] = (...given) => patching.patched(...given);
const read: Patching['read'] = () => patching.read();

describe('a patch is refused and not applied', () => {
  const good = { op: 'replace', path: '/recentOutput', value: 'lost' };

  test.each(['agentName', 'version', 'key', 'deviceID', 'agentTypeID', 'userID', 'lastHeardFromDate', 'nonsense'])(
    'when it writes %s, which may not be patched',
    async (name) => {
      const pointer = `/${name}`;
      expect(wrongFields(await refused(400, good, { op: 'add', path: pointer, value: 1 }))).toEqual(['[1].path']);
      expect(wrongFields(await refused(400, good, { op: 'remove', path: pointer }))).toEqual(['[1].path']);
      expect(wrongFields(await refused(400, { op: 'move', from: pointer, path: '/recentOutput' }))).toEqual([
        '[0].from',
      ]);
      expect(wrongFields(await refused(400, good, { fieldName: name, value: 1 }))).toEqual(['[1].fieldName']);
    },
  );

  test.each([
    '/__proto__',
    '/__proto__/polluted',
    '/constructor',
    '/constructor/prototype/polluted',
    '/toString',
    '/agentDescription/length',
    '/agentDescription/-',
    '/processID/0',
    '/PROCESSID',
    'processID',
    '/',
    '//',
    '/~2',
    '/nonsense',
  ])('when it names %s', async (pointer) => {
    await refused(400, good, { op: 'add', path: pointer, value: { polluted: true } });
    await refused(400, good, { op: 'test', path: pointer, value: 1 });
    await refused(400, good, { op: 'copy', from: pointer, path: '/recentOutput' });
    await refused(400, good, { op: 'move', from: pointer, path: '/recentOutput' });
    expect('polluted' in {}).toBe(false);
  });

  test('when the whole record would be written', async () => {
    await refused(400, { op: 'replace', path: '', value: {} });
    await refused(400, { op: 'remove', path: '' });
    await refused(400, { op: 'copy', from: '', path: '/recentOutput' });
  });

  test.each([
    { op: 'replace', path: '/processID' },
    { op: 'add', path: '/processID' },
    { op: 'test', path: '/processID' },
    { op: 'move', path: '/processID' },
    { op: 'copy', path: '/processID', from: null },
    { op: 'bogus', path: '/processID', value: 1 },
    { op: 'REPLACE', path: '/processID', value: 1 },
    { op: 'replace', value: 1 },
    { op: 'replace', path: 5, value: 1 },
    { fieldName: '', value: 1 },
    { fieldName: 5, value: 1 },
    {},
    [],
    null,
    'replace',
    5,
  ])('when an operation is %j', async (operation) => {
    expect(wrongFields(await refused(400, good, operation))[0]).toMatch(/^\[1\]/);
  });

  test.each([
    ['/processID', ['x', '3', -1, 1.5, true, [1], {}]],
    ['/recentOutput', [5, true, ['x'], {}, 'x'.repeat(65_537)]],
    ['/agentDescription', [5, 'x'.repeat(4_001)]],
  ])('when %s gets a value of another type', async (pointer, values) => {
    for (const value of values) {
      expect(wrongFields(await refused(400, { op: 'replace', path: pointer, value }))).toEqual([pointer.slice(1)]);
    }
  });

  test('with 409 when it removes, copies or moves a field that is not set', async () => {
    await patched({ op: 'remove', path: '/processID' });
    const unset = await read();
    for (const operation of [
      { op: 'remove', path: '/processID' },
      { op: 'copy', from: '/processID', path: '/currentEventID' },
      { op: 'move', from: '/processID', path: '/currentEventID' },
      { op: 'copy', from: '/version', path: '/recentOutput' },
    ]) {
      const answer = await patching.sendPatch([good, operation]);
      expect(expectProblem(answer, 409).detail).toContain('is not set');
      expect(await read()).toEqual(unset);
    }
  });

  test('when it has more than 100 operations', async () => {
    const operations = Array.from({ length: 100 }, () => ({ op: 'replace', path: '/processID', value: 7 }));
    expect(await patched(...operations)).toEqual(whole);
    await refused(400, ...operations, operations[0]);
  });

  test('when it is not a list', async () => {
    for (const json of [{}, { op: 'replace', path: '/processID', value: 1 }, 'x', null]) {
      expectProblem(await patching.sendPatch(json), 400);
    }
    expect(await read()).toEqual(whole);
  });
});
