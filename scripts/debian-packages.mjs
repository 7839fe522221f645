// Installs Debian packages that tests need, if they are missing and this process may install them.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import { parts } from './parts.mjs';

const updateWithinMs = 60_000;
const downloadWithinMs = 180_000;
/** A mirror that fails often works again soon. */
const attempts = 3;
const pauseMs = 10_000;

const listMissing = (isLong) =>
  Object.values(parts).filter((part) => part.packages.length > 0 && (isLong || !part.isForLong) && !part.isThere());
const namesOf = (some) => some.flatMap(({ packages }) => packages);

/**
 * Returns the names of packages that are still missing. Does not block, so that other work can go on while packages are
 * downloaded.
 */
export async function providePackages({ isLong = false } = {}) {
  for (let attempt = 1; mayInstall() && listMissing(isLong).length > 0 && attempt <= attempts; attempt++) {
    if (attempt > 1) await sleep(pauseMs);
    const missing = listMissing(isLong);
    console.log(`installing ${namesOf(missing).join(' ')} …`);
    // A package that this system does not have fails the installation of all: then those that it has are installed.
    if (!(await install(namesOf(missing)))) for (const { packages } of missing) await install(packages);
  }
  const names = namesOf(listMissing(isLong));
  if (names.length > 0) {
    console.log(`not installed: run \`apt-get install ${names.join(' ')}\` as root to run the tests that need it`);
  }
  return names;
}

const mayInstall = () => process.getuid?.() === 0 && existsSync('/usr/bin/apt-get');

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
