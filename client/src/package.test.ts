import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, onTestFinished, test } from 'vitest';

const run = promisify(execFile);
const root = fileURLToPath(new URL('../..', import.meta.url));

/** The package as npm would publish it, installed into an empty folder. */
async function installPackage(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'earshot-package-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  await run(process.execPath, ['scripts/build.mjs', '--if-needed', '--only=client'], { cwd: root });
  await run('npm', ['pack', join(root, 'client/dist'), '--pack-destination', folder], { cwd: folder });
  const [tarball] = await readdir(folder);
  await writeFile(join(folder, 'package.json'), '{ "type": "module", "private": true }');
  await run('npm', ['install', '--offline', '--no-audit', '--no-fund', `./${tarball}`], { cwd: folder });
  return folder;
}

async function readExample(): Promise<string> {
  const readme = await readFile(join(root, 'client/README.md'), 'utf8');
  return /```js\n([\s\S]*?)```/.exec(readme)![1]!;
}

test('the published package runs and type-checks the example of its README, without anything else', async () => {
  const folder = await installPackage();
  const installed = await readdir(join(folder, 'node_modules'));
  expect(installed.filter((name) => !name.startsWith('.'))).toEqual(['@earshot']);
  const files = await readdir(join(folder, 'node_modules/@earshot/client'));
  expect(files.toSorted()).toEqual(
    expect.arrayContaining(['LICENSE', 'README.md', 'THIRD-PARTY.txt', 'client.js', 'methods.d.ts', 'published.d.ts']),
  );
  expect(files.filter((name) => /\.(ts|mts)$/.test(name) && !name.endsWith('.d.ts'))).toEqual([]);

  const server = await sharedTestServer();
  const person = await server.addPerson();
  const { credential } = await person.withKey();
  const serial = `package-${person.userID}`;
  const example = (await readExample()).replaceAll('recorder-17', serial);
  await writeFile(join(folder, 'example.js'), example);
  const { stdout } = await run(process.execPath, ['example.js'], {
    cwd: folder,
    env: {
      ...process.env,
      EARSHOT_URL: server.url,
      EARSHOT_ACCESS_KEY: credential.accessKey,
      EARSHOT_SECRET_KEY: credential.secretKey,
    },
  });
  const clip = /Uploaded clip (\d+)/.exec(stdout)?.[1];
  expect(stdout).toContain(`Added device ${serial}`);
  expect(stdout).toContain('16044 of 16044 bytes sent');
  expect(stdout).toContain(`The live stream told of clip ${clip}`);
  expect(stdout).toContain('16044 of 16044 bytes received');
  expect(stdout).toContain('Downloaded 16044 bytes of audio/');

  await writeFile(join(folder, 'example.ts'), example);
  await writeFile(
    join(folder, 'other.ts'),
    `import { createClient, signInWithPassword, type Device } from '@earshot/client';
     declare const process: { env: Record<string, string | undefined> };
     const { credential } = await signInWithPassword({ url: '' }, { email: '', password: '' });
     const client = createClient({ url: '', ...(credential ? { credential } : {}) });
     const devices: readonly Device[] = await client.listDevices({ body: { online: true } });
     // @ts-expect-error: the field has another type
     await client.listDevices({ body: { online: 'yes' } });
     // @ts-expect-error: the key is missing
     await client.getDevice();
     export { devices };`,
  );
  await writeFile(join(folder, 'globals.d.ts'), 'declare const process: { env: Record<string, string | undefined> };');
  const compilerOptions = {
    target: 'es2022',
    module: 'nodenext',
    lib: ['es2023', 'dom', 'dom.iterable', 'dom.asynciterable'],
    types: [],
    strict: true,
    // Only the declarations of the compiler itself are not checked.
    skipDefaultLibCheck: true,
    noEmit: true,
  };
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: ['globals.d.ts', 'example.ts', 'other.ts'] }),
  );
  const checked = await run(join(root, 'node_modules/.bin/tsc'), ['--singleThreaded', '-p', '.'], {
    cwd: folder,
  }).catch((error: { stdout: string }) => error);
  expect(checked.stdout).toBe('');
});
