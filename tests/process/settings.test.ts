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

test.each([
  ['EARSHOT_PORT', '80a'],
  ['EARSHOT_PORT', '65536'],
  ['EARSHOT_PORT', '-1'],
  ['EARSHOT_HOST', 'not a host'],
  ['EARSHOT_HOST', '192.0.2.1'],
  ['EARSHOT_DATABASE_URL', 'mysql://127.0.0.1/earshot'],
  ['EARSHOT_PUBLIC_URL', 'ftp://example.org'],
  ['EARSHOT_PUBLIC_URL', 'https://example.org/earshot'],
  ['EARSHOT_TRUST_PROXY', '10.0.0.0/33'],
  ['EARSHOT_RATE_LIMIT', '1.5'],
  ['EARSHOT_SECRET_KEY', 'c2hvcnQ='],
  ['EARSHOT_DATABASE_CONNECTIONS', '1'],
  ['EARSHOT_STORAGE_URL', 'https://example.org/files'],
  ['EARSHOT_STORAGE_URL', 's3://recordings'],
  ['EARSHOT_STORAGE_URL', 'file:///etc/passwd/files'],
])('%s=%s is refused in one line that names it', async (name, value) => {
  expect(await refusedStart({ [name]: value })).toEqual([
    expect.stringMatching(new RegExp(`^earshot: ${name} \\S.*$`)),
  ]);
});

test.each([
  ['EARSHOT_ADMIN_EMAIL', 'nobody'],
  ['EARSHOT_ADMIN_EMAIL', ''],
  ['EARSHOT_ADMIN_PASSWORD', 'short'],
  ['EARSHOT_ADMIN_PASSWORD', ''],
])('%s=%s with a valid counterpart is refused in one line that names it', async (name, value) => {
  const complaints = await refusedStart({ ...adminSettings, [name]: value });
  expect(complaints).toEqual([expect.stringMatching(new RegExp(`^earshot: ${name} \\S.*$`))]);
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
