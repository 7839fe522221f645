import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { findFreePort } from '@earshot/server/testing/free-port';
import { needs } from '@earshot/server/testing/needs';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import type { DebianRoot } from './debian-root.ts';
import { addSources, makeDebianRoot, ordinaryUser, superuser } from './debian-root.ts';

/*
 * The README's two commands in a new, minimal Debian: as root below the closed folder /root, without user namespaces,
 * and as an ordinary user. `npm test` is replaced by two of its files, because all of it takes an hour here; with
 * EARSHOT_TEST_FRESH_ROOT=full it runs whole. Needs root, mmdebstrap, a Debian mirror and the npm registry.
 */

let root: DebianRoot;
beforeAll(async () => {
  root = await makeDebianRoot();
  // The packages are downloaded.
}, 1_800_000);
afterAll(() => root?.remove());

/** All that a process prints. */
function outputOf(child: ChildProcess): () => string {
  let output = '';
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk: Buffer) => (output += String(chunk)));
  return () => output;
}

const users = [
  { name: 'root in /root', user: superuser },
  { name: 'an ordinary user', user: ordinaryUser },
];
const sourcesOf = new Map<string, string>();

describe.each(users)('$name', ({ name, user }) => {
  let sources = '';
  beforeAll(async () => {
    sources = await addSources(root, user);
    sourcesOf.set(name, sources);
    await root.run(user, `cd ${sources} && npm ci`);
  }, 1_800_000);

  test('there are no user namespaces', needs('root', 'mmdebstrap'), async () => {
    await expect(root.run(user, 'unshare --user true')).rejects.toThrow('unshare failed');
  });

  test('npm start', needs('root', 'mmdebstrap'), async () => {
    const port = await findFreePort();
    const settings = { EARSHOT_PORT: String(port), EARSHOT_CAPTION_ENGINE: 'none' };
    const server = root.start(user, `cd ${sources} && exec npm start`, settings);
    const output = outputOf(server);
    const isOver = () => server.exitCode !== null || server.signalCode !== null;
    await vi.waitUntil(() => output().includes('Earshot is ready at') || isOver(), { timeout: 600_000 });
    expect(output()).toContain(`Earshot is ready at http://127.0.0.1:${port}`);
    expect((await fetch(`http://127.0.0.1:${port}/readyz`)).status).toBe(200);
    process.kill(-server.pid!, 'SIGTERM');
    if (!isOver()) await once(server, 'exit');
    expect(output()).toContain('PostgreSQL has stopped');
  });

  test(
    'tests with a database pass, and tests with a browser are skipped without one',
    needs('root', 'mmdebstrap'),
    async () => {
      const files = 'tests/first-session.test.ts tests/browser/first-pages.test.ts';
      const output = await root.run(user, `cd ${sources} && NO_COLOR=1 npx vitest run --maxWorkers=1 ${files}`);
      expect(output).toMatch(/Test Files\s+1 passed \| 1 skipped/);
    },
  );
});

test('an ordinary user reads in one line which packages to install', needs('root', 'mmdebstrap'), async () => {
  const script = "import('./scripts/debian-packages.mjs').then(({ providePackages }) => providePackages())";
  const output = await root.run(ordinaryUser, `cd ~/earshot && node -e "${script}"`);
  const line = output.split('\n').find((one) => one.startsWith('not installed: run `apt-get install '));
  for (const name of ['curl', 'openssl', 'chromium-headless-shell', 'ceph-mon', 'radosgw', 'ffmpeg']) {
    expect(line).toContain(` ${name} `);
  }
});

// Last, because as root it installs packages that the tests above expect to be missing.
test.for(users)('npm test as $name', needs('root', 'mmdebstrap', 'an hour'), async ({ name, user }) => {
  expect(await root.run(user, `cd ${sourcesOf.get(name)} && npm test`)).toMatch(/^\d+ passed, 0 failed$/m);
});
