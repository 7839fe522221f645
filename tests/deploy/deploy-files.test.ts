import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { cp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '@earshot/server/config';
import { openScratch } from '@earshot/server/platform/database/embedded/testing/scratch';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';
import { blockOf } from './guide.ts';

/* The structure of the files in deploy/. The long tests of this folder run them. */

const read = (name: string): Promise<string> => readFile(join(repository, name), 'utf8');

const settingNames = async (name: string): Promise<string[]> => [
  ...new Set((await read(name)).match(/\bEARSHOT_[A-Z0-9_]+\b/g)),
];

test.each([
  'Containerfile',
  'compose.yaml',
  'compose.env',
  'systemd/earshot.service',
  'systemd/earshot.env',
  'kubernetes/earshot.yaml',
])('every setting in deploy/%s is in the table of settings', async (name) => {
  const table = await read('docs/settings.md');
  const named = (await settingNames(`deploy/${name}`)).filter((setting) => setting !== 'EARSHOT_IMAGE');
  expect(named.filter((setting) => !table.includes(`\`${setting}\``))).toEqual([]);
});

test('the image gets every program and page that a server reads', async () => {
  const containerfile = await read('deploy/Containerfile');
  const onlyForBuilding = new Set(['src', 'tsconfig.json', 'node_modules']);
  const inServer = (await readdir(join(repository, 'server'))).filter((name) => !onlyForBuilding.has(name));
  for (const name of inServer) expect(containerfile).toContain(`server/${name}`);
  expect(containerfile).toContain('mv docs /app/');
  expect(containerfile).toMatch(/^USER 10001:10001$/m);
  expect(containerfile).toMatch(/^HEALTHCHECK /m);
  const ignored = (await read('.dockerignore')).split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/dist', 'data']));
  expect(ignored).not.toContain('docs');
});

test('the settings of the compose file are valid, and secrets have no default', async () => {
  const compose = await read('deploy/compose.yaml');
  const written = [...compose.matchAll(/^ {6}(EARSHOT_\w+): (.*)$/gm)];
  expect(written.length).toBeGreaterThan(5);
  const values: Readonly<Record<string, string>> = {
    EARSHOT_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    EARSHOT_PUBLIC_URL: 'https://earshot.example.org',
  };
  const filled = written.map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/\$\{(\w+)(:[-?])[^}]*\}/g, (_, variable: string, kind: string) =>
      kind === ':?' ? (values[variable] ?? 'abc123') : (values[variable] ?? ''),
    ),
  ]);
  const config = readConfig(Object.fromEntries(filled));
  expect(config).toMatchObject({
    databaseUrl: 'postgres://earshot:abc123@database/earshot',
    publicOrigin: 'https://earshot.example.org',
    storage: { accessKey: 'earshot', secretKey: 'abc123' },
  });
  expect(compose.match(/\$\{(?:\w*PASSWORD|\w*SECRET_KEY)[^}]*\}/g)).toEqual(
    expect.arrayContaining([expect.stringMatching(/:\?/)]),
  );
  const template = await read('deploy/compose.env');
  for (const [, name] of compose.matchAll(/\$\{(\w+):\?/g)) expect(template).toMatch(new RegExp(`^${name}=`, 'm'));
});

/** The commands of the guide that fill deploy/.env, run in a copy of the folder. Returns the copy. */
async function prepareCompose(): Promise<string> {
  const folder = await openScratch();
  await cp(join(repository, 'deploy'), join(folder, 'deploy'), { recursive: true });
  await rm(join(folder, 'deploy', '.env'), { force: true });
  const commands = await blockOf('compose');
  expect(commands).toContain('openssl rand');
  const prepare = () => execFileSync('sh', ['-euc', commands], { cwd: folder, encoding: 'utf8' });
  const env = () => readFile(join(folder, 'deploy', '.env'), 'utf8');
  prepare();
  const first = await env();
  prepare();
  expect(await env()).toBe(first);
  return folder;
}

test('the commands of the guide fill what compose needs, for the eyes of one user', needs('openssl'), async () => {
  const folder = await prepareCompose();
  const path = join(folder, 'deploy', '.env');
  expect((await stat(path)).mode & 0o777).toBe(0o600);
  const env = await readFile(path, 'utf8');
  expect(env).toMatch(/^DATABASE_PASSWORD=[0-9a-f]{48}$/m);
  expect(env).toMatch(/^STORE_PASSWORD=[0-9a-f]{48}$/m);
  expect(env).toMatch(/^EARSHOT_SECRET_KEY=[A-Za-z0-9+/]{43}=$/m);
});

const compose = needs('docker-compose', 'openssl');

test('compose accepts the file with what the commands made, and the server accepts its settings', compose, async () => {
  const folder = await prepareCompose();
  // The options of the guide, with another command: no engine runs here.
  const [, options = ''] =
    /^docker compose (--project-name .* --file \S+) up /m.exec(await read('docs/deploy.md')) ?? [];
  const args = [...options.split(' '), 'config'];
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync('docker-compose', args, { cwd: folder, env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
  const made = await readFile(join(folder, 'deploy', '.env'), 'utf8');
  const [, password = ''] = /^DATABASE_PASSWORD=(.*)$/m.exec(made) ?? [];
  const settings = [...stdout.matchAll(/^ +(EARSHOT_\w+): (.*)$/gm)].map(([, name = '', value = '']) => [
    name,
    value.replaceAll(/^['"]|['"]$/g, ''),
  ]);
  expect(readConfig(Object.fromEntries(settings) as Record<string, string>)).toMatchObject({
    databaseUrl: `postgres://earshot:${password}@database/earshot`,
    publicOrigin: 'https://earshot.example.org',
  });
});

test('every file that the guide names exists', async () => {
  const guide = await read('docs/deploy.md');
  const names = [...guide.matchAll(/(?:tests\/)?\bdeploy\/[a-zA-Z./-]+[a-zA-Z]/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(5);
  const missing = names.filter((name) => !['deploy/.env'].includes(name) && !existsSync(join(repository, name)));
  expect(missing).toEqual([]);
});
