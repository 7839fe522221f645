import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createOpenApiDocument } from '@earshot/contract/openapi';
import type { OpenApiDocument } from '@earshot/contract/openapi-document';
import { gatewayList, operationList } from '@earshot/contract/operations';
import { afterAll, beforeAll, expect, test } from 'vitest';

const run = promisify(execFile);
const config = fileURLToPath(new URL('./redocly.yaml', import.meta.url));

/** Paths of the specification and of clients in the field: the literal is matched before the template, and no id equals a literal. */
const givenAmbiguity =
  /`\/v1\/(audioclip\/createlist\/\{deviceSerial\}|file\/success\/\{fileID\}|event\/endprocess\/\{eventID\})`/;

interface Problem {
  readonly ruleId: string;
  readonly message: string;
  readonly location: readonly { readonly pointer: string }[];
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'earshot-lint-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function redoclyProgram(): Promise<string> {
  const manifest = createRequire(import.meta.url).resolve('@redocly/cli/package.json');
  const { bin } = JSON.parse(await readFile(manifest, 'utf8')) as { bin: { redocly: string } };
  return join(dirname(manifest), bin.redocly);
}

async function lint(document: OpenApiDocument): Promise<readonly string[]> {
  const file = join(folder, 'openapi.json');
  await writeFile(file, JSON.stringify(document));
  const report = await run(
    process.execPath,
    [await redoclyProgram(), 'lint', file, '--config', config, '--format', 'json'],
    {
      // No network access.
      env: {
        PATH: process.env['PATH'],
        HOME: folder,
        CI: 'true',
        REDOCLY_TELEMETRY: 'off',
        REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
      },
      maxBuffer: 16 * 1_048_576,
    },
  ).then(
    ({ stdout }) => stdout,
    // The exit code is 1 if there are findings; the report has the same format.
    (failure: { stdout?: string; message: string }) => failure.stdout || Promise.reject(failure),
  );
  const { problems } = JSON.parse(report) as { problems: readonly Problem[] };
  const isGiven = ({ ruleId, message }: Problem) => ruleId === 'no-ambiguous-paths' && givenAmbiguity.test(message);
  const own = problems.filter((problem) => !isGiven(problem));
  return own.map(({ ruleId, message, location }) => `${ruleId} at ${location[0]?.pointer}: ${message}`);
}

const document = createOpenApiDocument({ version: '0.0.0', operations: [...operationList, ...gatewayList] });

test('the linter has no findings in the OpenAPI document', async () => {
  expect(await lint(document)).toEqual([]);
});

test('the linter reports a fault', async () => {
  const { license: _, ...info } = document.info;
  const faulty = { ...document, info } as unknown as OpenApiDocument;
  expect(await lint(faulty)).toEqual([expect.stringContaining('info-license')]);
});
