import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withKey } from '../testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

const allJudged = () => expect.poll(async () => (await server.db`select 1 from clips_to_judge`).length).toBe(0);

async function setUp(serial: string) {
  const cli = await withKey(server);
  const { session } = server.admin;
  const { key: deviceID = 0 } = await session.createDevice({
    body: { deviceSerial: serial, deviceName: `Gate ${serial}` },
  });
  const say = async (secondsAgo: number, transcript: string): Promise<number> => {
    const startTime = Math.floor(Date.now() / 1_000) - secondsAgo;
    const { key = 0 } = await session.createAudioClip({ body: { deviceID, startTime, clipLengthInSeconds: 5 } });
    await session.correctCaption({ params: { captionID: key }, body: { transcript } });
    return key;
  };
  const write = (name: string, rule: unknown) => writeFile(join(cli.home, name), JSON.stringify(rule));
  const run = async (...words: string[]) => {
    const result = await cli.run(['rules', ...words]);
    expect(result.code, result.err).toBe(0);
    return result;
  };
  return { cli, deviceID, say, write, run };
}

test('a rule is tried, created, changed, muted and deleted, and says what it means', async () => {
  const { deviceID, say, write, run, cli } = await setUp('north');
  const clip = await say(600, 'A working fire at the pier.');
  await say(500, 'All quiet.');
  const fire = { ruleName: 'Fire', when: { words: '"working fire"' }, where: { deviceIDs: [deviceID] } };
  await write('fire.json', fire);

  const tried = await run('try', 'fire.json');
  expect(tried.out).toContain('1 match on 1 day, 1 alert');
  expect(tried.out).toMatch(new RegExp(`${clip} .*A working fire at the pier\\.`));
  expect((await run('try', 'fire.json', '--json')).records()).toMatchObject([{ audioClipID: clip, deviceID }]);
  expect((await run('try', 'fire.json', '--since', '5m')).out).toContain('0 matches');

  expect((await run('create', 'fire.json')).out).toContain('When Gate north says “working fire”: only note it.');
  expect((await run('list')).out).toMatch(/Fire +on +When Gate north says “working fire”/);
  const [record] = (await run('show', 'fire', '--json')).records();
  expect(record).toMatchObject({ ruleName: 'Fire', version: 1, when: fire.when });

  await write('changed.json', { ...record, when: { words: 'fire' }, actions: [{ action: 'tag', tagName: 'fire' }] });
  const changed = await run('change', 'Fire', 'changed.json');
  expect(changed.out).toContain('version 2');
  expect(changed.out).toContain('says “fire”: tag the clip fire.');
  // The file has the version of before.
  const again = await cli.run(['rules', 'change', 'Fire', 'changed.json']);
  expect(again).toMatchObject({ code: 1, err: expect.stringContaining('version is 2') });
  expect((await run('change', 'Fire', '--off')).out).toContain('off, info, version 3');
  expect((await run('change', 'Fire', '--on', '--version', '3')).out).toContain('on, info, version 4');

  expect((await run('mute', 'Fire', '--hours', '2')).out).toContain('muted until');
  expect((await run('mute', 'Fire', '--off')).out).toContain('on, info, version 4');
  expect((await run('delete', 'Fire')).out).toMatch(/Deleted rule \d+, Fire\./);
  expect(await cli.run(['rules', 'show', 'Fire'])).toMatchObject({ code: 3 });
});

test('what a rule found is listed, and each match and silence is explained', async () => {
  const { say, write, run } = await setUp('south');
  await write('siren.json', { ruleName: 'Lock fires', when: { words: 'fire' }, actions: [{ action: 'lock' }] });
  const made = (await run('create', 'siren.json', '--json')).records()[0]!;
  const [found, other] = [await say(300, 'Fire!'), await say(200, 'Water.')];
  await allJudged();
  expect((await run('matches', 'Lock fires')).out).toMatch(
    new RegExp(`${found} .*Lock fires +Gate south +lock +Fire!`),
  );
  expect((await run('matches', '--device', 'south', '--json')).records()).toMatchObject([{ audioClipID: found }]);
  expect((await run('matches', String(made['key']), '--state', 'withdrawn')).err).toContain('No matches.');
  expect((await run('explain', 'Lock fires', String(found))).out).toMatch(
    /It matches\.[\s\S]*when\.words +true +Fire/i,
  );
  const silence = await run('explain', 'siren.json', String(other));
  expect(silence.out).toMatch(/It does not match\.[\s\S]*when\.words +false/);
});

test('a rule about a state is explained for a device, as it is and as it was', async () => {
  const { write, run } = await setUp('tower');
  await write('empty.json', { ruleName: 'Empty', when: { state: 'lowBattery', belowPercent: 30 } });
  await server.admin.session.createDeviceHealth({
    body: { deviceSerial: 'tower', healthJSON: '{"batteryPercent":12}' },
  });
  expect((await run('explain', 'empty.json', '--device', 'tower')).out).toMatch(
    /It matches\.[\s\S]*when\.state +true +.*12/,
  );
  expect((await run('explain', 'empty.json', '-d', 'tower', '--at', '1h')).out).toContain('It does not match.');
  expect((await run('explain', 'Low battery', '-d', 'tower', '--json')).records()).toMatchObject([{ isMatch: true }]);
});

test('a wrong file, and wrong options, get a sentence', async () => {
  const { cli, write } = await setUp('west');
  const fail = async (...words: string[]) => {
    const { code, err } = await cli.run(['rules', ...words]);
    return `${code} ${err}`;
  };
  await write('wrong.json', { ruleName: 'x', wen: { words: 'fire' } });
  expect(await fail('create', 'wrong.json')).toMatch(/^1 .*has a field “wen”, which no rule has/);
  await write('list.json', []);
  expect(await fail('try', 'list.json')).toMatch(/^1 .*must contain one rule/);
  await writeFile(join(cli.home, 'text.json'), '{');
  expect(await fail('try', 'text.json')).toMatch(/^1 .*is not JSON/);
  expect(await fail('try', 'nowhere.json')).toMatch(/^1 .*cannot be read/);
  await write('none.json', { ruleName: 'x', when: { none: [{ words: 'fire' }] } });
  expect(await fail('create', 'none.json')).toMatch(/needs a condition outside of `none`/);
  expect(await fail('change', 'x')).toMatch(/^2 .*Nothing to change/);
  expect(await fail('explain', 'x')).toMatch(/^2 .*Name a clip, or a device/);
  expect(await fail('explain', 'x', '7', '-d', 'west')).toMatch(/^2 .*Name a clip, or a device/);
  expect(await fail('explain', 'x', '7', '--at', '2h')).toMatch(/^2 .*--at belongs to --device/);
  expect(await fail('mute', 'x')).toMatch(/^2 .*Say how long/);
  expect(await fail('mute', 'x', '--until', '2h')).toMatch(/^2 .*not in the future/);
});
