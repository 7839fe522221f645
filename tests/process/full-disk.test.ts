import { randomBytes } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { ApiError } from '@earshot/client/api-error';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { findProcessesNaming, openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { createTestDatabase } from '@earshot/server/testing/database';
import type { Person } from '@earshot/server/testing/person';
import { needs } from '@earshot/server/testing/needs';
import { expect, onTestFinished, test, vi } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import {
  addFile,
  announce,
  download,
  finish,
  offsetOf,
  putWhole,
} from '../../server/src/features/file/tests/uploading.ts';
import { clipIn, tusOf } from '../../server/src/features/upload/tests/tus.ts';
import { adminSettings, signInAdmin } from './admin.ts';
import { statusOf } from './probes.ts';
import type { ServerProcess } from './server-process.ts';
import { startServer, stopServer } from './server-process.ts';
import type { SmallDisk } from './small-disk.ts';
import { diskOf, onSmallDisk } from './small-disk.ts';
import { startWriting } from './writing-fleet.ts';

const needed = needs('root', 'mounts');

const settings = { ...adminSettings, EARSHOT_RATE_LIMIT: '0', EARSHOT_LEAST_FREE_MB: '1' };
const patience = { interval: 50 };
const mebibyte = 1024 ** 2;

interface Problem {
  readonly status: number;
  readonly detail: string;
  readonly retryAfter: string | null;
}

async function readProblem(response: Response): Promise<Problem> {
  const { detail } = (await response.json()) as { detail: string };
  return { status: response.status, detail, retryAfter: response.headers.get('retry-after') };
}

const readiness = async (url: string): Promise<Problem> => readProblem(await fetch(new URL('/readyz', url)));

async function metric(url: string, name: string): Promise<number> {
  const text = await (await fetch(new URL('/metrics', url))).text();
  return Number(new RegExp(`^${name} (.+)$`, 'm').exec(text)?.[1]);
}

const until = (url: string, status: number) =>
  vi.waitUntil(async () => (await statusOf(url, '/readyz')) === status, patience);

/** One line at the start and one at the end, for any number of failed requests. */
async function expectLogged(server: ServerProcess, times: number): Promise<void> {
  expect(await stopServer(server)).toEqual({ code: 0, signal: null });
  const messages = server.logged().map(({ msg }) => msg);
  const begins = messages.filter((message) => message.startsWith('writes fail'));
  const ends = messages.filter((message) => message === 'writes succeed again');
  expect([begins.length, ends.length]).toEqual([times, times]);
  expect(messages.filter((message) => message === 'fault')).toEqual([]);
  expect(server.complaints()).toEqual([]);
}

const expectFull = (problem: Problem) =>
  expect(problem).toEqual({ status: 503, detail: expect.stringContaining('full'), retryAfter: '30' });

/** A server with an external database, and one of its folders on a small disk. */
async function startOn(place: 'store' | 'data', megabytes: number) {
  const scratch = await openScratch();
  const folder = join(scratch, 'disk');
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  const server = await startServer({
    dataDir: place === 'data' ? folder : join(scratch, 'data'),
    settings: {
      ...settings,
      EARSHOT_DATABASE_URL: database.url,
      EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
      EARSHOT_STORAGE_URL: `file://${place === 'store' ? folder : join(scratch, 'files')}`,
    },
    command: await onSmallDisk(folder, megabytes),
  });
  const admin = await signInAdmin(server.url);
  return { server, admin, folder, disk: diskOf(server.pid, folder) };
}

async function addClip({ session }: Person): Promise<(sound: Uint8Array<ArrayBuffer>) => Promise<number>> {
  const { key: deviceID = 0 } = await session.createDevice({
    body: { deviceSerial: `r-${randomBytes(4).toString('hex')}` },
  });
  const body = { deviceID, startTime: 1000, clipLengthInSeconds: 60 };
  const { key: audioClipID = 0 } = await session.createAudioClip({ body });
  return async (sound) => {
    await session.putAudioClipContent({ params: { audioClipID }, body: sound });
    return audioClipID;
  };
}

async function refusalOf(answer: Promise<unknown>): Promise<Problem> {
  const error = await answer.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ApiError)) throw new Error(`not refused: ${String(error)}`);
  return { status: error.status, detail: error.message, retryAfter: String(error.retryAfterSeconds) };
}

test('a full storage is reported, leaves no partial files, and works again with free space', needed, async () => {
  const { server, admin, folder, disk } = await startOn('store', 20);
  const { url } = server;
  const kept = await addFile(admin, randomBytes(mebibyte));
  const sound = tinyWav(200);
  const big = randomBytes(3 * mebibyte);
  const [putSound, waiting, resumed] = [await addClip(admin), await announce(admin, big), await announce(admin, big)];
  const part = (first: number, end: number) =>
    fetch(resumed.url, {
      method: 'PUT',
      headers: { 'content-range': `bytes ${first}-${end - 1}/${big.length}` },
      body: big.subarray(first, end),
    });
  expect((await part(0, mebibyte)).status).toBe(200);
  const { key: deviceID = 0 } = await admin.session.createDevice({ body: { deviceSerial: 'card-1' } });
  const tus = tusOf(url, admin);
  const upload = await tus.create(sound.length, { deviceID });
  const sendRest = () => tus.patch(upload, mebibyte, sound.slice(mebibyte));
  expect((await tus.patch(upload, 0, sound.slice(0, mebibyte))).status).toBe(204);
  const before = await disk.files();

  // There is some space, but not for this file: it is refused, and the node stays ready for smaller ones.
  await disk.fill(1.5 * mebibyte);
  expectFull(await readProblem(await putWhole(waiting.url, big)));
  expectFull(await readProblem(await part(mebibyte, big.length)));
  expectFull(await refusalOf(putSound(sound)));
  expectFull(await readProblem(await sendRest()));
  expect(await disk.files()).toEqual(before);
  await until(url, 200);
  await addFile(admin, randomBytes(1000)).then(({ key }) => admin.session.deleteFile({ params: { fileID: key } }));

  await disk.fill();
  await until(url, 503);
  const { detail } = await readiness(url);
  expect(detail).toMatch(new RegExp(`files: .*${folder}.* full.* bytes`));
  expect(await metric(url, 'earshot_files_writable')).toBe(0);
  expect(await metric(url, 'earshot_files_free_bytes')).toBeLessThan(mebibyte);
  expect(await metric(url, 'earshot_database_writable')).toBe(1);
  for (let round = 0; round < 20; round += 1) {
    expectFull(await readProblem(await putWhole(waiting.url, big)));
    expectFull(await readProblem(await part(mebibyte, big.length)));
    expectFull(await refusalOf(putSound(sound)));
  }
  expect((await disk.files()).length).toBeLessThanOrEqual(before.length + 1);
  // Reads and changes of the database still work.
  expect((await download(admin, kept)).length).toBe(mebibyte);
  await admin.session.createDevice({ body: { deviceSerial: 'made-meanwhile' } });

  await disk.empty();
  await until(url, 200);
  expect(await metric(url, 'earshot_files_writable')).toBe(1);
  expect((await putWhole(waiting.url, big)).status).toBe(200);
  expect((await finish(admin, waiting)).fileStatus).toBe(1);
  expect(await offsetOf(resumed.url)).toBe(mebibyte);
  expect((await part(mebibyte, big.length)).status).toBe(200);
  expect((await finish(admin, resumed)).fileStatus).toBe(1);
  expect((await download(admin, resumed)).equals(big)).toBe(true);
  await putSound(sound);
  expect(clipIn(await sendRest())).toBeGreaterThan(0);

  disk.remount('ro');
  const last = await announce(admin, big);
  expect((await putWhole(last.url, big)).status).toBe(503);
  await until(url, 503);
  expect((await readiness(url)).detail).toMatch(new RegExp(`files: .*${folder}: the disk is read-only`));
  disk.remount('rw');
  await until(url, 200);
  expect((await putWhole(last.url, big)).status).toBe(200);
  await expectLogged(server, 2);
});

test('with a full scratch folder sound is refused with the cause, and accepted with free space', needed, async () => {
  const { server, admin, folder, disk } = await startOn('data', 8);
  const putSound = await addClip(admin);
  const sound = tinyWav(200);
  await disk.fill(1.25 * mebibyte);
  expectFull(await refusalOf(putSound(sound)));
  expect(await disk.files('scratch')).toEqual([]);

  await disk.fill();
  await until(server.url, 503);
  expect((await readiness(server.url)).detail).toMatch(new RegExp(`scratch: .*${folder}.* full.* bytes`));
  expectFull(await refusalOf(putSound(sound)));
  expect(await disk.files('scratch')).toEqual([]);

  await disk.empty();
  await until(server.url, 200);
  const audioClipID = await putSound(sound);
  const content = await admin.session.getAudioClipContent({ params: { audioClipID } });
  expect((await content.arrayBuffer()).byteLength).toBe(sound.length);
  await expectLogged(server, 1);
});

async function waitForReaders(client: Client, deviceID: number): Promise<void> {
  const isRead = () =>
    client.getDevice({ params: { deviceID } }).then(
      () => true,
      () => false,
    );
  await vi.waitUntil(isRead, patience);
}

/** Uses up PostgreSQL's preallocated write-ahead log, so that its next write fails. */
async function exhaustLog(disk: SmallDisk): Promise<void> {
  const password = (await readFile(disk.reach('postgres/password'), 'utf8')).trim();
  const login = { database: 'postgres', username: 'postgres', password };
  const db = connect({ host: disk.reach('postgres/run'), port: 5432, ...login }, { connections: 1, name: 'tests' });
  try {
    for (;;) await db`select pg_logical_emit_message(true, 'tests', 'x'), pg_switch_wal()`;
  } catch {
    // PostgreSQL has exited.
  } finally {
    await db.end({ timeout: 1 });
  }
}

test('a full disk of the database is reported, and no acknowledged write is lost', needed, async () => {
  const dataDir = join(await openScratch(), 'disk');
  const server = await startServer({ dataDir, settings, command: await onSmallDisk(dataDir, 160) });
  const { url } = server;
  const disk = diskOf(server.pid, dataDir);
  const { credential } = await (await signInAdmin(url)).withKey();
  const client = createClient({ url, credential });
  const known = await client.createDevice({ body: { deviceSerial: 'known', deviceDescription: 'x'.repeat(1000) } });
  const deviceID = known.key ?? 0;

  const fleet = startWriting({ writers: 4, devices: 600, client: () => client });
  await vi.waitUntil(() => fleet.writes() >= 200, patience);

  await disk.fill();
  await until(url, 503);
  // The space is measured, unless PostgreSQL reports first that it could not write.
  expect((await readiness(url)).detail).toMatch(
    new RegExp(`database: (.*${dataDir}/postgres is full: \\d+ bytes|could not .*: No space left on device)`),
  );
  expect(await metric(url, 'earshot_database_writable')).toBe(0);
  // PostgreSQL accepts changes while they fit into its log; then it reports the reason.
  const refusals: string[] = [];
  await vi.waitUntil(async () => {
    const collectionDescription = randomBytes(1000).toString('hex');
    await client
      .createCollection({ body: { collectionName: 'more', collectionDescription } })
      .catch((error: unknown) => {
        if (!(error instanceof ApiError) || error.status !== 503) throw error;
        refusals.push(error.message);
      });
    return refusals.length >= 20;
  }, patience);
  expect(refusals.filter((message) => message.includes('full'))).not.toEqual([]);
  await waitForReaders(client, deviceID);

  // PostgreSQL exits when it cannot write its log, and cannot recover without free space.
  await exhaustLog(disk);
  await vi.waitUntil(
    () => server.logged().some(({ msg }) => msg.startsWith('PostgreSQL could not be restarted')),
    patience,
  );
  expect((await readiness(url)).detail).toMatch(/is full/);
  expect(await statusOf(url, '/healthz')).toBe(200);

  // Several more attempts to start PostgreSQL.
  const attempts = new Set<number>();
  await vi.waitUntil(async () => {
    for (const pid of await findProcessesNaming(join(dataDir, 'postgres', 'cluster'))) attempts.add(pid);
    return attempts.size >= 3;
  }, patience);
  await disk.empty();
  await until(url, 200);
  await fleet.done;
  expect(fleet.wrongAnswers).toEqual([]);
  expect(await client.getDevice({ params: { deviceID } })).toEqual(known);
  const found = await client.listDevices({ body: { count: 1000 } });
  const described = new Map(found.map(({ key, deviceDescription }) => [key, deviceDescription]));
  const lost = fleet.acknowledged.filter(
    ({ device, deviceDescription }) => described.get(device.key) !== deviceDescription,
  );
  expect(lost).toEqual([]);
  expect(found).toHaveLength(601);
  await expectLogged(server, 1);
  expect(server.logged().map(({ msg }) => msg)).toContain('PostgreSQL exited unexpectedly; restarting it');
  const others = server.logged().filter(({ msg }) => !/^(request|writes |PostgreSQL |migrated)/.test(msg));
  // Failures that repeat every second are not logged every second.
  expect(others.length).toBeLessThan(60);
  const failedStarts = server.logged().filter(({ msg }) => msg.startsWith('PostgreSQL could not be restarted'));
  expect(failedStarts).toHaveLength(1);
});
