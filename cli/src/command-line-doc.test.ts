import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { AuditLogHeader } from '@earshot/contract/audit-log';
import type { TestDatabase } from '@earshot/server/testing/database';
import { createTestDatabase } from '@earshot/server/testing/database';
import type { TestServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword, startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { program } from './commands.ts';
import { takeCommonOptions } from './parse.ts';
import { makeWav } from './testing/make-wav.ts';
import { makeArchiveSeven } from './testing/rdio-archive-file.ts';
import type { Cli } from './testing/run-cli.ts';
import { openCli } from './testing/run-cli.ts';

/** Runs each command line of docs/command-line.md, with the numbers of records that exist here. */

let server: TestServer;
/** For `earshot serve`, which has keys of its own. */
let ofServer: TestDatabase;
/** Empty, for `earshot restore`. */
let toRestore: TestDatabase;
beforeAll(async () => {
  server = await startTestServer();
  ofServer = await createTestDatabase();
  toRestore = await createTestDatabase({ isEmpty: true });
});
afterAll(async () => {
  await ofServer.drop();
  await toRestore.drop();
  await server.stop();
});

async function readLines(): Promise<string[]> {
  const text = await readFile(new URL('../../docs/command-line.md', import.meta.url), 'utf8');
  return [...text.matchAll(/```sh\n([\s\S]*?)```/g)].flatMap(([, block]) => block!.trim().split('\n'));
}

interface Line {
  readonly env: Record<string, string>;
  readonly words: readonly string[];
  readonly inputFile: string | undefined;
}

/** As a shell reads it: variables before the command, quotes, and where input comes from and output goes to. */
function readLine(line: string): Line {
  const [command = ''] = line.split(' | ');
  const words = [...command.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, plain]) => single ?? double ?? plain!,
  );
  const at = words.indexOf('earshot');
  const until = words.findIndex((word) => word === '<' || word === '>');
  const input = words.indexOf('<');
  return {
    env: Object.fromEntries(words.slice(0, at).map((word) => word.split('=') as [string, string])),
    words: words.slice(at + 1, until < 0 ? undefined : until),
    inputFile: input < 0 ? undefined : words[input + 1],
  };
}

/** The records and files that the page names, and the numbers that they have here. */
async function makeWorld(cli: Cli): Promise<ReadonlyMap<string, string>> {
  const { session } = server.admin;
  const device = await session.createDevice({ body: { deviceSerial: 'recorder-17', deviceName: 'North gate' } });
  await mkdir(join(cli.home, 'card'));
  await mkdir(join(cli.home, 'recordings/Attic'), { recursive: true });
  await mkdir(join(cli.home, 'bin'));
  await writeFile(join(cli.home, 'dawn.wav'), makeWav(2, 1));
  await writeFile(join(cli.home, 'card/20261101_083000.wav'), makeWav(2, 2));
  await writeFile(join(cli.home, 'recordings/Attic/20261101_083000.wav'), makeWav(2, 3));
  await writeFile(join(cli.home, 'first.wav'), makeWav(2, 4));
  await writeFile(join(cli.home, 'bin/ffplay'), '#!/bin/sh\n', { mode: 0o755 });
  makeArchiveSeven(join(cli.home, 'rdio-scanner.db'), [{ audio: makeWav(1, 5), time: Date.UTC(2025, 1, 1) }]);
  const env = { EARSHOT_URL: server.url };
  const input = `${adminEmail}\n${adminPassword}\n`;
  expect((await cli.run(['login'], { env, input })).code).toBe(0);
  const uploaded = await cli.run(['upload', '-d', 'recorder-17', 'first.wav', '--start', '1h', '--json'], { env });
  const clip = uploaded.records()[0]!['audioClipID'] as number;
  await session.correctCaption({ params: { captionID: clip }, body: { transcript: 'meet me at the north gate' } });
  const [ended, cancelled] = await Promise.all(
    [1, 2].map(() => session.createEvent({ body: { deviceID: device.key!, eventType: 'Reboot' } })),
  );
  const { client } = await server.admin.withKey({ deviceID: device.key! });
  await client.registerAgent({ body: { deviceSerial: 'recorder-17', agentType: 'Device', processID: 1 } });
  const taken = await client.dequeueEvent({ body: { deviceSerial: 'recorder-17', agentType: 'Device', processID: 1 } });
  await client.reportEvent({ params: { eventID: taken.key! }, body: { eventStatus: 4 } });
  const open = taken.key === ended!.key ? cancelled : ended;
  await session.createEventPreset({ body: { eventPresetName: 'Reboot at night', eventType: 'Reboot' } });
  const userKey = await session.createApiKey();
  const signed = await session.createApiKey();
  await writeFile(join(cli.home, 'key.txt'), `${signed.accessKey}\n${signed.secretKey}\n`);
  const deviceKey = await session.createDeviceKey({ params: { deviceID: device.key! }, body: {} });
  const config = {
    server: server.url,
    deviceSerial: 'recorder-17',
    accessKey: deviceKey.accessKey,
    secretKey: deviceKey.secretKey,
    folder: join(cli.home, 'agent'),
    sources: [{ kind: 'folder', path: join(cli.home, 'card') }],
  };
  const rule = { ruleName: 'Fire at night', when: { words: 'north' }, activeTimes: [{ from: '22:00', to: '06:00' }] };
  await writeFile(join(cli.home, 'fire.json'), JSON.stringify(rule));
  await writeFile(join(cli.home, 'recorder.json'), JSON.stringify(config), { mode: 0o600 });
  return new Map([
    ['4711', String(clip)],
    ['815', String(taken.key)],
    ['816', String(open!.key)],
    ['12', String(userKey.key)],
    ['https://earshot.example.org', server.url],
    ['/backup/earshot', join(cli.home, 'backup')],
    ['3f8a0c', await saveAuditLog(cli)],
  ]);
}

/** An export of the sealed log, and its head as a head that was kept elsewhere. Returns the fingerprint of the key. */
async function saveAuditLog(cli: Cli): Promise<string> {
  const { session } = server.admin;
  const text = await session.exportAuditLog();
  const { head, keys } = JSON.parse(text.slice(0, text.indexOf('\n'))) as AuditLogHeader;
  await writeFile(join(cli.home, 'audit-log.jsonl'), text);
  await mkdir(join(cli.home, 'heads'));
  await writeFile(join(cli.home, 'heads/1.txt'), head);
  return keys[0]?.fingerprint ?? '';
}

/** Commands that run until they are stopped, and what they print first. */
const running: Readonly<Record<string, RegExp>> = { serve: /is ready at/, worker: /is working/, agent: /has started/ };

const ofPlatform = new Set(['serve', 'worker', 'backup', 'restore', 'verify']);

test('every command line of the page runs', async () => {
  const cli = await openCli();
  const world = await makeWorld(cli);
  const lines = await readLines();
  expect(lines.length).toBeGreaterThan(40);
  const used = new Set<string>();
  for (const line of lines) {
    const { env: given, words: written, inputFile } = readLine(line);
    const words = written.map((word) => world.get(word) ?? word);
    const [name = ''] = takeCommonOptions(words).rest;
    used.add(name);
    const stop = new AbortController();
    const isOver = (text: string) => running[name]?.test(text) && stop.abort();
    const env = {
      ...(name === 'login' || name === 'logout' ? {} : { EARSHOT_URL: server.url }),
      ...given,
      PATH: `${join(cli.home, 'bin')}:${process.env['PATH']}`,
      ...(ofPlatform.has(name) ? serverEnv(cli) : {}),
      ...(name === 'restore'
        ? { EARSHOT_DATABASE_URL: toRestore.url, EARSHOT_DATA_DIR: join(cli.home, 'restored') }
        : {}),
    };
    if (name === 'tail') setTimeout(() => stop.abort(), 500);
    const input =
      inputFile === undefined ? `${adminEmail}\n${adminPassword}\n` : await readFile(join(cli.home, inputFile), 'utf8');
    const result = await cli.run(words, { env, input, signal: stop.signal, onOutput: isOver, onError: isOver });
    const expected = name === 'tail' ? 130 : 0;
    // The other faults of this machine, such as a missing ffmpeg, do not matter here.
    if (name !== 'doctor') expect(result.code, `${line}\n${result.err}${result.out}`).toBe(expected);
    // Later lines need the session again.
    if (name === 'logout' || name === 'login') {
      const again = await cli.run(['login', '--url', server.url], { input: `${adminEmail}\n${adminPassword}\n` });
      expect(again.code).toBe(0);
    }
  }
  const commands = program.commands.filter(({ isHidden }) => !isHidden).map(({ name }) => name);
  expect([...used].toSorted()).toEqual(commands.toSorted());
});

const serverEnv = (cli: Cli): Record<string, string> => ({
  EARSHOT_DATABASE_URL: ofServer.url,
  EARSHOT_DATA_DIR: join(cli.home, 'data'),
  EARSHOT_PORT: '0',
  EARSHOT_CAPTION_ENGINE: 'none',
});
