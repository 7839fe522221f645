// Installs Debian packages that tests need, if they are missing and this process may install them.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const updateWithinMs = 60_000;
const downloadWithinMs = 120_000;

/** For the browser tests, which are skipped with a message if it is missing: Chromium without its own window. */
export function provideChromium() {
  provide(['chromium-headless-shell'], ['/usr/bin/chromium-headless-shell']);
}

/** For the tests that run the commands of the guides, which are skipped with a message if one is missing. */
export function provideGuidePrograms() {
  provide(['curl', 'openssl'], ['/usr/bin/curl', '/usr/bin/openssl']);
}

/** For the tests with a real object store (Ceph), which are skipped with a message if it is missing. */
export function provideObjectStore() {
  provide(['ceph-mon', 'ceph-osd', 'radosgw'], ['/usr/bin/ceph-mon', '/usr/bin/ceph-osd', '/usr/bin/radosgw']);
}

/**
 * For the tests of all audio formats, which are skipped with a message if it is missing. The server works without it.
 */
export function provideFfmpeg() {
  provide(['ffmpeg'], ['/usr/bin/ffmpeg', '/usr/bin/ffprobe']);
}

/**
 * For the tests and benchmarks of transcription, which are skipped with a message if it is missing: recordings and a
 * voice.
 */
export function provideSpeech() {
  provide(
    ['pocketsphinx-testdata', 'espeak-ng'],
    ['/usr/share/pocketsphinx/test/data/librivox/transcription', '/usr/bin/espeak-ng'],
  );
}

/** For the benchmark of word times: a speech synthesiser that reports the time of each word. */
export function provideFestival() {
  provide(
    ['festival', 'festvox-kallpc16k', 'festlex-cmu', 'festlex-poslex'],
    ['/usr/bin/festival', '/usr/share/festival/voices/english/kal_diphone', '/usr/share/festival/dicts/cmu'],
  );
}

function provide(packages, paths) {
  if (paths.every((path) => existsSync(path))) return;
  const names = packages.join(' ');
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`installing ${names} …`);
    if (install(packages)) return;
  }
  console.log(`not installed: run \`apt-get install ${names}\` as root to run the tests that need it`);
}

/** Only network access can block for ever, and only a download may be interrupted. */
function install(packages) {
  const what = ['install', '-y', '-qq', '--no-install-recommends', ...packages];
  return apt(['update', '-qq'], updateWithinMs) && apt([...what, '--download-only'], downloadWithinMs) && apt(what);
}

function apt(args, timeout) {
  // At run level 1 no package starts a service.
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' };
  return spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'], env, timeout }).status === 0;
}
