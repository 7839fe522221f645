// What npm cannot bring: programs from Debian's packages, installed when they are missing and we may.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';

const chromium = '/usr/bin/chromium';

/** For the tests in a real browser, which say themselves that they were left out when it is missing. */
export function provideChromium() {
  provide('chromium', chromium);
}

function provide(name, path) {
  if (existsSync(path)) return;
  if (process.getuid?.() === 0 && existsSync('/usr/bin/apt-get')) {
    console.log(`installing ${name} …`);
    const apt = (...args) => spawnSync('apt-get', args, { stdio: ['ignore', 'ignore', 'inherit'] }).status === 0;
    if (apt('update', '-qq') && apt('install', '-y', '-qq', '--no-install-recommends', name)) return;
  }
  console.log(`${name} is missing: run \`apt-get install ${name}\` as root to run the tests that need it`);
}
