import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { copyFile, mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { createOpenApiDocument } from '@earshot/contract/openapi';
import { operationList } from '@earshot/contract/operations';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const { resolve } = createRequire(import.meta.url);
const programSource = fileURLToPath(new URL('./generated-clients.ts.txt', import.meta.url));

/** The strictest compiler options that a user's project may have. */
const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noImplicitReturns: true,
  target: 'es2023',
  lib: ['es2023', 'dom', 'dom.iterable'],
  module: 'nodenext',
  types: [],
  outDir: 'compiled',
};

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-clients-'));
  await mkdir(join(folder, 'node_modules'));
  await symlink(dirname(resolve('openapi-fetch/package.json')), join(folder, 'node_modules', 'openapi-fetch'));
  const document = createOpenApiDocument({ version: '0.0.0', operations: operationList });
  await writeFile(join(folder, 'openapi.json'), JSON.stringify(document));
  await writeFile(join(folder, 'package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

/** Runs a program of an installed package, like `npx`. */
async function runProgram(packageName: string, program: string, args: readonly string[]): Promise<void> {
  const manifest = resolve(`${packageName}/package.json`);
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: Record<string, string> };
  try {
    await run(process.execPath, [join(dirname(manifest), bin[program]!), ...args], { cwd: folder });
  } catch (failure) {
    const { stdout, stderr } = failure as { stdout: string; stderr: string };
    throw new Error(`${program} failed:\n${stdout}\n${stderr}`, { cause: failure });
  }
}

interface Program {
  readonly callWithOpenApiFetch: CallServer;
  readonly callWithSwaggerTypeScriptApi: CallServer;
}
type CallServer = (url: string, accessKey: string, secretKey: string, deviceSerial: string) => Promise<unknown>;

/** Calls a real server with both clients; the key must belong to a person, not to a device. */
async function callWithBoth(url: string, accessKey: string, secretKey: string): Promise<void> {
  const program = (await import(pathToFileURL(join(folder, 'compiled', 'program.js')).href)) as Program;
  for (const call of [program.callWithOpenApiFetch, program.callWithSwaggerTypeScriptApi]) {
    const deviceSerial = `generated-${randomUUID()}`;
    expect(await call(url, accessKey, secretKey, deviceSerial)).toEqual({
      health: expect.any(String),
      deviceSerial,
      agentDescription: 'North gate',
      agentTypesListed: ['Audio'],
      devicesListed: [deviceSerial],
      titleOfMissing: 'Not found',
      messageOfRefusal: expect.stringContaining('Gardener'),
    });
  }
}

test('openapi-typescript generates types from the document', async () => {
  await runProgram('openapi-typescript', 'openapi-typescript', ['openapi.json', '--output', 'openapi-typescript.ts']);
  expect(await readFile(join(folder, 'openapi-typescript.ts'), 'utf8')).toContain('registerAgent');
});

test('swagger-typescript-api generates a client from the document', async () => {
  const args = ['generate', '--path', 'openapi.json', '--output', '.', '--name', 'swagger-typescript-api.ts'];
  await runProgram('swagger-typescript-api', 'swagger-typescript-api', args);
  expect(await readFile(join(folder, 'swagger-typescript-api.ts'), 'utf8')).toContain('registerAgent');
});

// With TypeScript 5.9, the release that both generators support, rather than this repository's own.
test('a program that uses both compiles with strict options', async () => {
  await copyFile(programSource, join(folder, 'program.ts'));
  await runProgram('typescript', 'tsc', ['--project', '.']);
});

test('a program that uses both works with a real server', async () => {
  const server = await startTestServer();
  try {
    const { credential } = await server.admin.withKey();
    await callWithBoth(server.url, credential.accessKey, credential.secretKey);
  } finally {
    await server.stop();
  }
});
