import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { appendFile, chown, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createClient } from '@earshot/client/client';
import { connect } from '@earshot/server/platform/database/connect';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import { programEnvironment } from '@earshot/server/testing/program-environment';
import { expect, onTestFinished, test, vi } from 'vitest';
import { findPostgres } from '../../scripts/parts.mjs';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import { adminSettings, signInAdmin } from '../process/admin.ts';
import { repository, startServer, stopServer } from '../process/server-process.ts';
import { readBlock } from './recipe.ts';

const run = promisify(execFile);
const runAs = process.geteuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const limits = { timeout: 300_000, maxBuffer: 16 * 1024 ** 2 };

/** Files of any name, but not those by which a node checks that it may write. */
async function countFiles(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile() && !entry.name.startsWith('.')).length;
}

/** The commands of docs/high-availability.md after this mark. */
async function commandsOf(mark: string): Promise<string> {
  const text = await readFile(join(repository, 'docs/high-availability.md'), 'utf8');
  return new RegExp(String.raw`^# test: ${mark}\n([\s\S]*?)^\`\`\`$`, 'm').exec(text)?.[1] ?? '';
}

test(
  'the database goes back to a moment, and the files that are missing then are listed',
  needs('postgresql', 'pgbackrest'),
  async () => {
    const folder = await mkdtemp(join(tmpdir(), 'earshot-pitr-'));
    if (runAs.uid !== undefined) await chown(folder, runAs.uid, runAs.gid);
    const [data, config, port] = [join(folder, 'data'), join(folder, 'pgbackrest.conf'), await findFreePort()];
    const bin = findPostgres() ?? '';
    const env = { PATH: `${bin}:${process.env['PATH']}`, HOME: folder, PGBACKREST_CONFIG: config };
    const call = (program: string, args: readonly string[], more: NodeJS.ProcessEnv = {}) =>
      run(program, args, { cwd: folder, env: { ...env, ...more }, ...limits, ...runAs });
    const recipe = (await readBlock('pgbackrest.conf'))
      .replace('/srv/pgbackrest', join(folder, 'repository'))
      .replace('/var/lib/postgresql/15/main', data)
      .replace('5432', String(port))
      .replace('/var/run/postgresql', folder);
    await mkdir(join(folder, 'repository'));
    if (runAs.uid !== undefined) await chown(join(folder, 'repository'), runAs.uid, runAs.gid);
    const own = ['log', 'lock', 'spool'].map((each) => `${each}-path=${folder}\n`).join('');
    await writeFile(config, recipe.replace('[earshot]\n', `${own}[earshot]\npg1-user=owner\n`));
    await call('initdb', ['-D', data, '-U', 'owner', '-A', 'trust', '-E', 'UTF8', '--no-sync']);
    const settings = [
      `port = ${port}`,
      "listen_addresses = '127.0.0.1'",
      `unix_socket_directories = '${folder}'`,
      'dynamic_shared_memory_type = mmap',
      'archive_mode = on',
      `archive_command = 'pgbackrest --config=${config} --stanza=earshot archive-push %p'`,
    ];
    await appendFile(join(data, 'postgresql.conf'), `${settings.join('\n')}\n`);
    const start = () => call('pg_ctl', ['start', '-w', '-D', data, '-l', join(folder, 'log')]);
    const stop = () => call('pg_ctl', ['stop', '-w', '-D', data, '-m', 'fast']);
    onTestFinished(async () => {
      await stop().catch(() => {});
      await rm(folder, { recursive: true, force: true, maxRetries: 20, retryDelay: 100 });
    });
    await start();
    await call('createdb', ['-h', folder, '-p', String(port), '-U', 'owner', 'earshot']);
    await call('sh', ['-ec', await commandsOf('backup')]);

    const scratch = await openScratch();
    const database = `postgres://owner:x@127.0.0.1:${port}/earshot`;
    const nodeSettings = {
      ...adminSettings,
      EARSHOT_DATABASE_URL: database,
      EARSHOT_SECRET_KEY: randomBytes(32).toString('base64'),
      EARSHOT_STORAGE_URL: `file://${join(scratch, 'files')}`,
    };
    const launch = () => startServer({ dataDir: join(scratch, 'node'), settings: nodeSettings });
    const server = await launch();
    const { credential } = await (await signInAdmin(server.url)).withKey();
    const client = createClient({ url: server.url, credential });
    const { key: deviceID = 0 } = await client.createDevice({ body: { deviceSerial: 'recorder', autoCaption: false } });
    const addClip = async (at: number): Promise<number> => {
      const body = { deviceID, startTime: 1_700_000_000 + at * 60, clipLengthInSeconds: 1 };
      const { key: audioClipID = 0 } = await client.createAudioClip({ body });
      await client.putAudioClipContent({ params: { audioClipID }, body: tinyWav(1, 300 + at) });
      return audioClipID;
    };
    const [kept, removed] = [await addClip(1), await addClip(2)];
    const db = connect(database, { connections: 1, name: 'drill' });
    const [moment] = await db<{ at: string }[]>`select clock_timestamp()::text as at`;
    await sleep(1_100);
    const stored = await countFiles(join(scratch, 'files'));
    await client.deleteAudioClip({ params: { audioClipID: removed } });
    await vi.waitUntil(async () => (await countFiles(join(scratch, 'files'))) === stored - 1, { interval: 250 });
    const late = await addClip(3);
    await db`select pg_switch_wal()`;
    await db.end({ timeout: 1 });
    expect(await stopServer(server)).toEqual({ code: 0, signal: null });

    const startedMs = performance.now();
    await stop();
    await call('sh', ['-ec', await commandsOf('restore')], { MOMENT: moment?.at ?? '' });
    await start();
    const standing = connect(database, { connections: 1, name: 'drill' });
    for (const deadline = Date.now() + 60_000; ; await sleep(100)) {
      const [row] = await standing<{ isOver: boolean }[]>`select not pg_is_in_recovery() as "isOver"`;
      if (row?.isOver) break;
      if (Date.now() > deadline) throw new Error('the restore does not end');
    }
    await standing.end({ timeout: 1 });
    const verified = await run(process.execPath, ['server/dist/backup.js', 'verify', '--hash', 'all'], {
      cwd: repository,
      env: { ...programEnvironment(), ...nodeSettings, EARSHOT_DATA_DIR: join(scratch, 'node') },
      ...limits,
    }).catch((error: { stdout: string }) => error);
    const lines = verified.stdout.trim().split('\n');
    expect(lines.at(-1), verified.stdout).toMatch(/: 1 faults; .*; 1 without a record$/);
    const again = await launch();
    const seconds = Math.round((performance.now() - startedMs) / 1_000);
    const clips = createClient({ url: again.url, credential });
    expect((await clips.getAudioClipContent({ params: { audioClipID: kept } })).status).toBe(200);
    await expect(clips.getAudioClip({ params: { audioClipID: late } })).rejects.toMatchObject({ status: 404 });
    expect(await clips.getAudioClip({ params: { audioClipID: removed } })).toMatchObject({ key: removed });
    process.stdout.write(`restore drill: ${seconds} s from the stop of PostgreSQL to a node that answers\n`);
  },
);
