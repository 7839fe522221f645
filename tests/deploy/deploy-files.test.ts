import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readConfig } from '@earshot/server/config';
import { whyNotInstalled } from '@earshot/server/testing/installed';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';

/* The structure of the files in deploy/. The long tests of this folder run them. */

const read = (name: string): Promise<string> => readFile(join(repository, name), 'utf8');

const settingNames = async (name: string): Promise<string[]> => [
  ...new Set((await read(name)).match(/\bEARSHOT_[A-Z0-9_]+\b/g)),
];

test.each(['Containerfile', 'compose.yaml', 'compose.env', 'systemd/earshot.service', 'systemd/earshot.env'])(
  'every setting in deploy/%s is in the table of the README',
  async (name) => {
    const readme = await read('README.md');
    const named = (await settingNames(`deploy/${name}`)).filter((setting) => setting !== 'EARSHOT_IMAGE');
    expect(named.filter((setting) => !readme.includes(`\`${setting}\``))).toEqual([]);
  },
);

test('the image gets every program and page that a server reads', async () => {
  const containerfile = await read('deploy/Containerfile');
  const onlyForBuilding = new Set(['src', 'tsconfig.json', 'node_modules']);
  const inServer = (await readdir(join(repository, 'server'))).filter((name) => !onlyForBuilding.has(name));
  for (const name of inServer) expect(containerfile).toContain(`server/${name}`);
  expect(containerfile).toMatch(/^USER 10001:10001$/m);
  expect(containerfile).toMatch(/^HEALTHCHECK /m);
  const ignored = (await read('.dockerignore')).split('\n');
  expect(ignored).toEqual(expect.arrayContaining(['.git', '**/node_modules', '**/dist', 'data']));
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

test('the compose file is valid for compose', async ({ skip }) => {
  const whyNot = whyNotInstalled('docker-compose');
  if (whyNot !== undefined) return skip(whyNot);
  const env = { PATH: process.env['PATH'], DATABASE_PASSWORD: 'a', STORE_PASSWORD: 'b', EARSHOT_SECRET_KEY: 'c' };
  const file = join(repository, 'deploy/compose.yaml');
  const { status, stderr } = spawnSync('docker-compose', ['-f', file, 'config', '--quiet'], { env, encoding: 'utf8' });
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});

test('every file that the guide names exists', async () => {
  const guide = await read('docs/deploy.md');
  const names = [...guide.matchAll(/(?:tests\/)?\bdeploy\/[a-zA-Z./-]+[a-zA-Z]/g)].map(([name]) => name);
  expect(names.length).toBeGreaterThan(5);
  const missing = names.filter((name) => !['deploy/.env'].includes(name) && !existsSync(join(repository, name)));
  expect(missing).toEqual([]);
});
