import { mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { parseConfig } from '../config.ts';
import type { AgentStatus, CountedEntry } from './agent-status.ts';
import { countRecordings } from './agent-status.ts';
import { showStatus, statusExitCodes } from './show-status.ts';
import { readStatus, writeStatus } from './status-file.ts';

const nowMs = Date.UTC(2026, 10, 18, 12);
const ago = (seconds: number) => new Date(nowMs - seconds * 1_000).toISOString();
const well: AgentStatus = {
  writtenDate: ago(3),
  startedDate: ago(7_200),
  processID: 4711,
  version: '0.1.0',
  sha256: 'abcdef012345'.padEnd(64, '0'),
  deviceSerial: 'recorder-17',
  server: 'https://earshot.example.org',
  isRecording: true,
  upload: 'requested',
  sources: [{ name: 'folder /srv/calls', lastSoundDate: ago(300) }, { name: 'sound card hw:1' }],
  recordings: { notAnnounced: 2, notUploaded: 7, setAside: 0, setAsideFiles: [] },
  lastReachedDate: ago(10),
  clockErrorMs: 400,
  faults: [],
};
const show = (changes: Partial<AgentStatus> = {}, isRunning = true) =>
  showStatus({
    deviceSerial: 'recorder-17',
    server: 'https://earshot.example.org',
    status: { ...well, ...changes },
    isRunning,
    nowMs,
  });

test('an agent that works is shown in one screen', () => {
  const { text, exitCode } = show({ lastError: { date: ago(600), message: 'health: fetch failed' } });
  expect(exitCode).toBe(statusExitCodes.well);
  expect(text.split('\n').length).toBeLessThanOrEqual(24);
  for (const part of [
    'Agent 0.1.0 (build abcdef012345) of recorder-17',
    'process 4711',
    well.sha256!,
    'https://earshot.example.org, reached',
    '(10 s ago)',
    'agrees with the platform',
    'folder /srv/calls: last sound',
    '(5 min ago)',
    'sound card hw:1: no sound yet',
    'to announce 2',
    'to upload   7, when the platform asks',
    'set aside   0',
    '(10 min ago): health: fetch failed',
  ])
    expect(text).toContain(part);
  expect(text).not.toContain('Needs attention');
});

test.each<[string, Partial<AgentStatus>, string]>([
  ['not reached for long', { lastReachedDate: ago(301) }, 'The platform is not reached.'],
  ['never reached', { lastReachedDate: undefined }, 'The platform is not reached.'],
  ['a wrong clock', { clockErrorMs: -95_000 }, '95 s behind the platform'],
  [
    'a source that fails',
    { faults: [{ what: 'watching /srv/calls', reason: 'EACCES', sinceDate: ago(60) }] },
    'folder /srv/calls: last sound',
  ],
  ['an agent that hangs', { writtenDate: ago(181) }, 'has not written its status for 3 min'],
  [
    'recordings that are set aside',
    {
      recordings: {
        ...well.recordings,
        setAside: 3,
        setAsideFiles: [{ path: '/srv/junk\u001B[2J\uDCFF.wav', reason: 'It is not sound.', sinceDate: ago(90) }],
      },
    },
    String.raw`/srv/junk\x1b[2J\xff.wav: It is not sound.`,
  ],
])('%s needs attention', (_name, changes, part) => {
  const { text, exitCode } = show(changes);
  expect(exitCode).toBe(statusExitCodes.attention);
  expect(text).toContain('Needs attention');
  expect(text).toContain(part);
});

test('set aside recordings that are not named are counted, and a failing source says why', () => {
  const setAsideFiles = [{ path: '/a.wav', reason: 'No.', sinceDate: ago(90) }];
  expect(show({ recordings: { ...well.recordings, setAside: 3, setAsideFiles } }).text).toContain('and 2 more');
  const faults = [{ what: 'recording sound card hw:1', reason: 'ffmpeg ended', sinceDate: ago(60) }];
  expect(show({ faults }).text).toContain('sound card hw:1: no sound yet; fails: ffmpeg ended');
});

test('an agent that does not run is told apart, with what it knew', () => {
  const stopped = show({}, false);
  expect(stopped.exitCode).toBe(statusExitCodes.notRunning);
  expect(stopped.text).toContain('NOT RUNNING');
  expect(stopped.text).toContain('to upload   7');
  const view = { deviceSerial: 'recorder-17', server: '', status: undefined, nowMs };
  expect(showStatus({ ...view, isRunning: false }).exitCode).toBe(statusExitCodes.notRunning);
  expect(showStatus({ ...view, isRunning: true }).exitCode).toBe(statusExitCodes.attention);
});

test('recordings are counted by source; secrets of a stream are left out', () => {
  const config = parseConfig(
    JSON.stringify({
      server: 'https://earshot.example.org',
      deviceSerial: 'r',
      accessKey: 'a',
      secretKey: 's',
      folder: '/var/lib/earshot-agent',
      sources: [
        { kind: 'folder', path: '/srv/calls' },
        { kind: 'soundCard', device: 'hw:1' },
        { kind: 'stream', url: 'rtsp://name:password@camera.example/one?token=secret' },
      ],
    }),
  );
  const entry = (path: string, more: Partial<CountedEntry> = {}): CountedEntry => ({
    path,
    startMs: 1_000,
    isOwn: path.startsWith('/var'),
    isUploaded: false,
    ...more,
  });
  const counted = countRecordings(config, [
    entry('/srv/calls/a.wav', { startMs: 5_000, durationMs: 2_000, isUploaded: true }),
    entry('/srv/calls-2/b.wav', { startMs: 99_000 }),
    entry('/srv/calls/c.wav', { setAside: { reason: 'No.', sinceMs: 0 } }),
    entry('/var/lib/earshot-agent/sound/1-1.wav', { startMs: 8_000, clipID: 3 }),
    entry('/var/lib/earshot-agent/sound/2-1.wav', { clipID: 4, removedBecause: 'the disk budget was used up' }),
    entry('/srv/calls/d.wav', { startMs: 1e17 }),
  ]);
  expect(counted).toEqual({
    sources: [
      { name: 'folder /srv/calls' },
      { name: 'sound card hw:1' },
      { name: 'stream rtsp://camera.example/one', lastSoundDate: new Date(8_000).toISOString() },
    ],
    recordings: {
      notAnnounced: 2,
      notUploaded: 1,
      setAside: 1,
      setAsideFiles: [{ path: '/srv/calls/c.wav', reason: 'No.', sinceDate: new Date(0).toISOString() }],
    },
  });
});

test('the file is private; one that is cut, foreign or absent is no status', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-status-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const path = join(folder, 'status.json');
  expect(await readStatus(folder)).toBeUndefined();
  await writeStatus(folder, well);
  expect(await readStatus(folder)).toEqual(well);
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  for (const text of [
    '',
    '{"writtenDate":"2026',
    'null',
    '[]',
    '{"sources":7}',
    '{"writtenDate":"x","recordings":{}}',
  ]) {
    await writeFile(path, text);
    expect(await readStatus(folder)).toBeUndefined();
  }
});
