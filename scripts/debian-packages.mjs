// Installs Debian packages that tests need, if they are missing and this process may install them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';

const updateWithinMs = 60_000;
const downloadWithinMs = 180_000;

/** Tests that need one of these are skipped with a message if it is missing. */
const needs = [
  // Commands of the guides.
  { packages: ['curl', 'openssl'], paths: ['/usr/bin/curl', '/usr/bin/openssl'] },
  // Chromium without its own window, for browser tests.
  { packages: ['chromium-headless-shell'], paths: ['/usr/bin/chromium-headless-shell'] },
  // A real object store: Ceph.
  {
    packages: ['ceph-mon', 'ceph-osd', 'radosgw'],
    paths: ['/usr/bin/ceph-mon', '/usr/bin/ceph-osd', '/usr/bin/radosgw'],
  },
  // All audio formats. The server works without it.
  { packages: ['ffmpeg'], paths: ['/usr/bin/ffmpeg', '/usr/bin/ffprobe'] },
  // Recordings of speech and a voice, for transcription.
  {
    packages: ['pocketsphinx-testdata', 'espeak-ng'],
    paths: ['/usr/share/pocketsphinx/test/data/librivox/transcription', '/usr/bin/espeak-ng'],
  },
];

const isMissing = ({ paths }) => !paths.every((path) => existsSync(path));
const namesOf = (some) => some.flatMap(({ packages }) => packages);

/** Does not block, so that other work can go on while packages are downloaded. */
export async function providePackages() {
  const missing = needs.filter(isMissing);
  if (missing.length > 0 && process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`installing ${namesOf(missing).join(' ')} …`);
    // A package that this system does not have fails the installation of all: then those that it has are installed.
    if (!(await install(namesOf(missing)))) for (const { packages } of missing) await install(packages);
  }
  const names = namesOf(needs.filter(isMissing)).join(' ');
  if (names !== '') {
    console.log(`not installed: run \`apt-get install ${names}\` as root to run the tests that need it`);
  }
}

/** Only network access can block for ever, and only a download may be interrupted. */
async function install(packages) {
  const what = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  return (
    (await apt(['update', '-qq'], updateWithinMs)) &&
    (await apt([...what, '--download-only'], downloadWithinMs)) &&
    apt(what)
  );
}

async function apt(args, timeout) {
  // At run level 1 no package starts a service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  const child = spawn('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout });
  const [status] = await once(child, 'close');
  return status === 0;
}
