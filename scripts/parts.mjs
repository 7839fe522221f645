// What tests need beside Node and the packages of npm, each declared once. A test names it with `needs`
// (server/src/testing/needs.ts), debian-packages.mjs installs it, and test-report.mjs says what was skipped without it.
import { spawnSync } from 'node:child_process';
import { accessSync, constants, existsSync, readdirSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';

/** The path of a program; undefined if it is not installed. An ordinary user's PATH lacks the folder of services. */
export function findProgram(name) {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin'];
  return folders.map((folder) => join(folder, name)).find(isExecutable);
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}

const has =
  (...programs) =>
  () =>
    programs.every((name) => findProgram(name) !== undefined);

/** The same browser twice. The first has no window of its own, and opens a page with an eighth of the processor time. */
export const findChromium = () => findProgram('chromium-headless-shell') ?? findProgram('chromium');

export const recordedSpeech = '/usr/share/pocketsphinx/test/data/librivox';

const debianPostgres = '/usr/lib/postgresql';
const oldestPostgres = 15;

/** The folder of the programs of the newest PostgreSQL on this machine. */
export function findPostgres() {
  const versions = existsSync(debianPostgres) ? readdirSync(debianPostgres).map(Number) : [];
  const newestFirst = versions.filter((version) => version >= oldestPostgres).toSorted((one, other) => other - one);
  const configured = spawnSync('pg_config', ['--bindir']).stdout?.toString().trim() ?? '';
  const candidates = [...newestFirst.map((version) => join(debianPostgres, String(version), 'bin')), configured];
  return candidates.find((folder) => folder !== '' && existsSync(join(folder, 'initdb')));
}

/** The library that gives a program another clock. */
export function findFakeTime() {
  const folders = existsSync('/usr/lib') ? readdirSync('/usr/lib').filter((name) => name.endsWith('-linux-gnu')) : [];
  const candidates = folders.map((folder) => join('/usr/lib', folder, 'faketime', 'libfaketimeMT.so.1'));
  return candidates.find((path) => existsSync(path));
}

const hasHistory = () => {
  const options = { cwd: fileURLToPath(new URL('..', import.meta.url)), encoding: 'utf8' };
  return spawnSync('git', ['rev-parse', '--is-shallow-repository'], options).stdout?.trim() === 'false';
};

/**
 * What can be added to any machine: in CI, a test that is skipped without it is a failure.
 *
 * `tests` completes "Skipped: …". `isForLong`: only the long tests need it.
 */
export const parts = {
  curl: { tests: 'tests with curl', packages: ['curl'], isThere: has('curl') },
  openssl: { tests: 'tests with openssl', packages: ['openssl'], isThere: has('openssl') },
  script: { tests: 'tests with a terminal', packages: ['bsdutils'], isThere: has('script') },
  chromium: {
    tests: 'browser tests',
    packages: ['chromium-headless-shell'],
    isThere: () => findChromium() !== undefined,
  },
  'chromium-window': {
    tests: 'the test that the console can be installed',
    packages: ['chromium'],
    isForLong: true,
    isThere: has('chromium'),
  },
  ceph: {
    tests: 'tests with an object store',
    packages: ['ceph-mon', 'ceph-osd', 'radosgw'],
    isThere: has('ceph-mon', 'ceph-osd', 'radosgw', 'radosgw-admin', 'ceph', 'monmaptool'),
  },
  ffmpeg: { tests: 'tests with encoded sound', packages: ['ffmpeg'], isThere: has('ffmpeg', 'ffprobe') },
  speech: {
    tests: 'tests with speech',
    packages: ['pocketsphinx-testdata', 'espeak-ng'],
    isThere: () => findProgram('espeak-ng') !== undefined && existsSync(join(recordedSpeech, 'transcription')),
  },
  postgresql: {
    tests: 'tests with an external PostgreSQL',
    packages: ['postgresql'],
    isThere: () => findPostgres() !== undefined,
  },
  'docker-compose': {
    tests: 'tests of the compose file',
    packages: ['docker-compose'],
    isThere: has('docker-compose'),
  },
  mosquitto: { tests: 'tests with an MQTT broker', packages: ['mosquitto'], isThere: has('mosquitto') },
  nginx: { tests: 'tests with nginx', packages: ['nginx-light'], isForLong: true, isThere: has('nginx') },
  caddy: { tests: 'tests with Caddy', packages: ['caddy'], isForLong: true, isThere: has('caddy') },
  pgbouncer: { tests: 'tests with PgBouncer', packages: ['pgbouncer'], isForLong: true, isThere: has('pgbouncer') },
  faketime: {
    tests: 'tests with a clock that jumps',
    packages: ['libfaketime'],
    isForLong: true,
    isThere: () => findFakeTime() !== undefined,
  },
  patroni: {
    tests: 'tests with Patroni',
    packages: ['patroni', 'etcd-server', 'haproxy'],
    isForLong: true,
    isThere: has('patroni', 'etcd', 'haproxy'),
  },
  pgbackrest: { tests: 'tests with pgBackRest', packages: ['pgbackrest'], isForLong: true, isThere: has('pgbackrest') },
  prometheus: {
    tests: 'tests with Prometheus',
    packages: ['prometheus'],
    isForLong: true,
    isThere: has('prometheus', 'promtool'),
  },
  'systemd-analyze': {
    tests: 'tests of the systemd unit',
    packages: ['systemd'],
    isForLong: true,
    isThere: has('systemd-analyze'),
  },
  mmdebstrap: {
    tests: 'tests in a new Debian',
    packages: ['mmdebstrap'],
    isForLong: true,
    isThere: has('mmdebstrap'),
  },
  buildah: { tests: 'tests of the image', packages: ['buildah'], isForLong: true, isThere: has('buildah') },
};

const isRoot = process.geteuid?.() === 0;
const succeeds = (program, args, options) => spawnSync(program, args, { stdio: 'ignore', ...options }).status === 0;
const ordinary = { uid: 12_345, gid: 12_345, cwd: '/' };

/** What a kind of machine or checkout cannot do, also in CI. `without` completes "Skipped: … (3): …". */
export const abilities = {
  root: {
    tests: 'tests as another user',
    without: 'the tests do not run as root',
    isThere: () => isRoot,
  },
  mounts: {
    tests: 'tests with a small disk',
    without: 'this machine does not permit mounts',
    isThere: () =>
      succeeds('unshare', [...(isRoot ? [] : ['--map-root-user']), '--mount', 'mount', '-t', 'tmpfs', 'none', '/mnt']),
  },
  namespaces: {
    tests: 'tests with user namespaces',
    without: 'this machine does not permit user namespaces',
    isThere: () => succeeds('unshare', ['--user', 'true']),
  },
  'ordinary users': {
    tests: 'tests of ordinary users',
    without: 'these sources, or Node, are in a folder that only root may enter',
    isThere: () => isRoot && succeeds(process.execPath, [fileURLToPath(import.meta.url)], ordinary),
  },
  history: {
    tests: 'tests with the version before',
    without: 'these sources have no history of git (`git fetch --unshallow` gets it)',
    isThere: hasHistory,
  },
  'an hour': {
    tests: 'whole runs in a new Debian',
    without: 'set EARSHOT_TEST_FRESH_ROOT=full to run them',
    isThere: () => process.env.EARSHOT_TEST_FRESH_ROOT === 'full',
  },
};
