import { join } from 'node:path';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { expect, test } from 'vitest';
import { adminSettings } from './admin.ts';
import { launchServer } from './server-process.ts';

/** Starts with invalid settings, and returns the error lines. */
async function refusedStart(settings: Readonly<Record<string, string>>): Promise<string[]> {
  const server = launchServer({ dataDir: join(await openScratch(), 'data'), settings });
  expect(await server.exited).toEqual({ code: 1, signal: null });
  return server.complaints();
}

// One of each kind: every process takes a second of processor time, and config.test.ts has all settings.
test.each([
  ['a wrong value', 'EARSHOT_PORT', '80a'],
  ['an address of another machine', 'EARSHOT_HOST', '192.0.2.1'],
  ['an object store without keys', 'EARSHOT_STORAGE_URL', 's3://recordings'],
  ['a folder that cannot be made', 'EARSHOT_STORAGE_URL', 'file:///etc/passwd/files'],
  ['an admin without a password', 'EARSHOT_ADMIN_PASSWORD', ''],
])('%s is refused in one line that names the setting: %s=%s', async (_kind, name, value) => {
  const others = name.startsWith('EARSHOT_ADMIN') ? adminSettings : {};
  expect(await refusedStart({ ...others, [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^earshot: ${name} \\S.*$`)),
  ]);
});

test('all faults are reported at once, and none repeats a secret', async () => {
  const complaints = await refusedStart({
    EARSHOT_PORT: 'x',
    EARSHOT_DATABASE_URL: 'http://me:hidden-one@127.0.0.1/earshot',
    EARSHOT_SECRET_KEY: 'hidden-two',
    EARSHOT_ADMIN_EMAIL: 'nobody',
    EARSHOT_ADMIN_PASSWORD: 'hidden3',
  });
  expect(complaints.map((line) => line.split(' ')[1] ?? '').toSorted()).toEqual([
    'EARSHOT_ADMIN_EMAIL',
    'EARSHOT_ADMIN_PASSWORD',
    'EARSHOT_DATABASE_URL',
    'EARSHOT_PORT',
    'EARSHOT_SECRET_KEY',
  ]);
  expect(complaints.join('\n')).not.toContain('hidden');
});
