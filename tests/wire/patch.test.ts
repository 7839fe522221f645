import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Patching } from './patching.ts';
import { openPatching, whole } from './patching.ts';
import { wrongFields } from './problems.ts';

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

describe('JSON Patch', () => {
  test('add sets a field, whether it was set or not', async () => {
    expect(await patched({ op: 'add', path: '/processID', value: 9 })).toEqual({ ...whole, processID: 9 });
    await patched({ op: 'remove', path: '/processID' });
    expect(await patched({ op: 'add', path: '/processID', value: 10 })).toEqual({ ...whole, processID: 10 });
  });

  test('replace sets a field, even the first time', async () => {
    const { processID: _, ...others } = whole;
    await patched({ op: 'remove', path: '/processID' });
    expect(await read()).toEqual(others);
    expect(await patched({ op: 'replace', path: '/processID', value: 11 })).toEqual({ ...whole, processID: 11 });
  });

  test('remove clears a field, and a value of null does too', async () => {
    const { recentOutput: _, agentDescription: __, ...others } = whole;
    await patched({ op: 'remove', path: '/recentOutput' }, { op: 'replace', path: '/agentDescription', value: null });
    expect(await read()).toEqual(others);
  });

  test('move moves a value to another field', async () => {
    const { processID, ...others } = whole;
    const after = await patched({ op: 'move', from: '/processID', path: '/currentEventID' });
    expect(after).toEqual({ ...others, currentEventID: processID });
  });

  test('copy also from a field that may not be patched', async () => {
    expect(await patched({ op: 'copy', from: '/recentOutput', path: '/agentDescription' })).toEqual({
      ...whole,
      agentDescription: 'quiet',
    });
    expect(await patched({ op: 'copy', from: '/agentName', path: '/recentOutput' })).toMatchObject({
      recentOutput: 'name',
    });
  });

  test('test succeeds or refuses the whole patch', async () => {
    const { agentTypeID, deviceID } = await patching.readAll();
    const tests = Object.entries({ ...whole, agentTypeID, deviceID, version: null, agentName: 'name' });
    const holds = tests.map(([name, value]) => ({ op: 'test', path: `/${name}`, value }));
    expect(await patched(...holds, { op: 'add', path: '/processID', value: 1 })).toEqual({ ...whole, processID: 1 });
    await patched({ op: 'add', path: '/processID', value: 7 });

    for (const value of [8, '7', 7.5, null, [7], { seven: 7 }]) {
      await refused(
        409,
        { op: 'add', path: '/recentOutput', value: 'lost' },
        { op: 'test', path: '/processID', value },
      );
    }
  });

  test('test of the whole record compares the record as clients see it', async () => {
    const agent = await patching.readAll();
    await patched({ op: 'test', path: '', value: agent });
    await refused(409, { op: 'test', path: '', value: { ...agent, processID: 8 } });
  });

  test('operations see the results of earlier ones', async () => {
    const after = await patched(
      { op: 'replace', path: '/processID', value: 20 },
      { op: 'test', path: '/processID', value: 20 },
      { op: 'copy', from: '/processID', path: '/currentEventID' },
      { op: 'remove', path: '/processID' },
      { op: 'test', path: '/processID', value: null },
      { op: 'replace', path: '/processID', value: 21 },
    );
    expect(after).toEqual({ ...whole, processID: 21, currentEventID: 20 });
  });

  test('undefined members of an operation are ignored, as in the RFC', async () => {
    const operation = { op: 'replace', path: '/processID', value: 30, from: null, fieldName: 'recentOutput', note: 1 };
    expect(await patched(operation)).toEqual({ ...whole, processID: 30 });
    expect(await patched({ op: 'remove', path: '/processID', value: 5, from: 'nowhere' })).not.toHaveProperty(
      'processID',
    );
  });

  test('an empty patch changes nothing', async () => {
    const before = await patching.readAll();
    expect((await patching.sendPatch([])).json).toEqual(before);
    expect((await patching.sendPatch([{ op: 'replace', path: '/processID', value: 7 }])).json).toEqual(before);
  });
});

describe('{fieldName, value}', () => {
  test('sets a field by its name, in any case', async () => {
    for (const [index, fieldName] of ['processID', 'ProcessID', 'processid', 'PROCESSID'].entries()) {
      expect(await patched({ fieldName, value: index })).toEqual({ ...whole, processID: index });
    }
  });

  test('accepts a value as text', async () => {
    expect(await patched({ fieldName: 'processID', value: '3' })).toEqual({ ...whole, processID: 3 });
    expect(await patched({ fieldName: 'currentEventID', value: '9007199254740991' })).toMatchObject({
      currentEventID: 9_007_199_254_740_991,
    });
    expect(await patched({ fieldName: 'recentOutput', value: '3' })).toMatchObject({ recentOutput: '3' });
  });

  test('clears with null, and without a value', async () => {
    const after = await patched({ fieldName: 'processID', value: null }, { fieldName: 'recentOutput' });
    expect(after).toEqual({ agentDescription: 'north', currentEventID: 8 });
  });

  test('can be mixed with the other form, in order', async () => {
    const after = await patched(
      { fieldName: 'processID', value: '40' },
      { op: 'test', path: '/processID', value: 40 },
      { op: 'replace', path: '/processID', value: 41 },
      { fieldName: 'AGENTDESCRIPTION', value: 'south' },
    );
    expect(after).toEqual({ ...whole, processID: 41, agentDescription: 'south' });
  });

  test('is used if the other form is incomplete', async () => {
    for (const other of [
      { op: 'replace' },
      { op: null, path: null },
      { op: 'bogus', path: '/recentOutput' },
      { path: '/x' },
    ]) {
      expect(await patched({ ...other, fieldName: 'processID', value: 7 })).toEqual(whole);
    }
  });

  test.each([['x'], ['3.5'], ['-1'], ['9007199254740992'], [''], [' 3'], [true], [3.5], [[3]], [{}]])(
    'refuses %j for an integer with the field name',
    async (value) => {
      expect(wrongFields(await refused(400, { fieldName: 'processID', value }))).toEqual(['processID']);
    },
  );
});
