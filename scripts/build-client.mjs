// Builds the client as a package that can be published: one module without dependencies, its declarations, and a
// package.json of its own. `npm publish client/dist` publishes it.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientInterface, createTypeWriter } from './client-types.mjs';
import { contractFacts } from './contract-facts.mjs';
import { writeNotices } from './third-party.mjs';

const sources = ['published', 'api-error', 'client', 'credential', 'download', 'live', 'sign-in', 'upload'];

/** The files of the package, by name. */
export async function clientFiles(root, version) {
  const read = (path) => readFileSync(join(root, path), 'utf8');
  const { description, license } = JSON.parse(read('client/package.json'));
  return new Map([
    ['client.js', await bundle(root)],
    ...(await declarations(root, read)),
    ['README.md', read('client/README.md')],
    ['LICENSE', read('LICENSE')],
    ['THIRD-PARTY.txt', writeNotices(root, 'client.js', ['eventsource-parser'])],
    [
      'package.json',
      `${JSON.stringify(
        {
          name: '@earshot/client',
          version,
          description,
          license,
          type: 'module',
          sideEffects: false,
          exports: { '.': { types: './published.d.ts', default: './client.js' }, './package.json': './package.json' },
          types: './published.d.ts',
          files: ['*.js', '*.d.ts', 'THIRD-PARTY.txt'],
          engines: { node: '>=18.17' },
        },
        undefined,
        2,
      )}\n`,
    ],
  ]);
}

async function bundle(root) {
  const facts = await contractFacts(root);
  const esbuild = await import('esbuild');
  const { outputFiles } = await esbuild.build({
    write: false,
    absWorkingDir: root,
    entryPoints: ['client/src/published.ts'],
    bundle: true,
    platform: 'neutral',
    mainFields: ['module', 'main'],
    target: ['es2022', 'node18'],
    format: 'esm',
    inject: ['client/src/older-node.ts'],
    logLevel: 'warning',
    plugins: [
      {
        name: 'contract-facts',
        setup(builder) {
          builder.onResolve({ filter: /^@earshot\/contract\// }, ({ path }) => {
            const found = facts.resolveId(path);
            return found && { path: found.id, namespace: 'contract-facts', sideEffects: false };
          });
          builder.onLoad({ filter: /.*/, namespace: 'contract-facts' }, ({ path }) => ({
            contents: facts.load(path),
            loader: 'js',
          }));
        },
      },
    ],
  });
  // Otherwise its helper process would keep running.
  await esbuild.stop();
  return outputFiles[0].contents;
}

async function declarations(root, read) {
  const { isolatedDeclarationSync } = await import('rolldown/experimental');
  const files = sources.map((name) => {
    const path = `client/src/${name}.ts`;
    const { code, errors } = isolatedDeclarationSync(path, read(path), { sourcemap: false });
    if (errors.length > 0) throw new Error(`${path}: ${errors.map(({ message }) => message).join('; ')}`);
    const resolved = code
      .replaceAll(/(['"])@earshot\/contract\/[\w-]+\1/g, "'./methods.js'")
      .replaceAll(/(['"])\.\/([\w-]+)\.ts\1/g, "'./$2.js'");
    return [`${name}.d.ts`, resolved];
  });
  return [...files, ['methods.d.ts', await methodTypes(root)]];
}

const oneOf = (names) => names.map((name) => JSON.stringify(name)).join(' | ');

/** Instead of methods.ts, whose types are computed from the contract. */
async function methodTypes(root) {
  const { operationList, Problem, LiveChange, liveChangeNames, liveKinds, clipResults } = await runContract(root);
  const writer = createTypeWriter();
  const own = operationList.filter(([, { media }]) => !media.includes('text/event-stream'));
  const client = clientInterface(own, writer);
  // Not the answers of an operation.
  const others = Object.entries({ Problem, LiveChange }).map(([name, schema]) => [name, writer.typeOf(schema)]);
  return [
    'export interface CallOptions {\n  readonly signal?: AbortSignal;\n}',
    '/** The bytes of a file. */\nexport type ByteBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;',
    `export type LiveKind = ${oneOf(liveKinds)};`,
    `export type LiveChangeName = ${oneOf(liveChangeNames)};`,
    `export type ClipResult = ${oneOf(clipResults)};`,
    client,
    ...others.flatMap(([name, type]) => (name === type ? [] : [`export type ${name} = ${type};`])),
    ...writer.declarations(),
    '',
  ].join('\n\n');
}

async function runContract(root) {
  const esbuild = await import('esbuild');
  const contents =
    "export { operationList } from './operations.ts'; export { Problem } from './problem.ts'; export { LiveChange } from './live.ts'; export { liveChangeNames, liveKinds } from './live-change.ts'; export { clipResults } from './upload.ts';";
  const { outputFiles } = await esbuild.build({
    stdin: { contents, resolveDir: join(root, 'contract', 'src'), loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  await esbuild.stop();
  return import(`data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`);
}
