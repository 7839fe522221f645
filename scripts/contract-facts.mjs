import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as esbuild from 'esbuild';

const contractPrefix = '@earshot/contract/';
const idPrefix = '\0contract-facts:';

/**
 * A browser needs only the method, path and access of operations and some lists of names from the contract. The schemas, and
 * the library that makes them, stay on the server. So the modules with schemas are run here, and replaced by their data.
 */
export async function contractFacts(root) {
  const folder = join(root, 'contract', 'src');
  const sources = readdirSync(folder).filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'));
  const made = sources.filter((name) => isMadeOfSchemas(folder, name));
  const modules = await runModules(folder, made);
  // Or its helper process would keep running.
  await esbuild.stop();
  const texts = new Map(made.map((name) => [name.slice(0, -3), factsOf(modules[name] ?? {})]));
  texts.set('operations', operationsOf(modules['operations.ts']));
  return {
    name: 'contract-facts',
    enforce: 'pre',
    resolveId(id) {
      const name = id.startsWith(contractPrefix) ? id.slice(contractPrefix.length) : undefined;
      return texts.has(name) ? { id: idPrefix + name, moduleSideEffects: false } : undefined;
    },
    load: (id) => (id.startsWith(idPrefix) ? texts.get(id.slice(idPrefix.length)) : undefined),
  };
}

const isMadeOfSchemas = (folder, name) =>
  name === 'operations.ts' || readFileSync(join(folder, name), 'utf8').includes("from 'typebox'");

async function runModules(folder, names) {
  const entry = names.map((name, index) => `export * as m${index} from './${name}';`).join('\n');
  const { outputFiles } = await esbuild.build({
    stdin: { contents: entry, resolveDir: folder, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'warning',
  });
  const text = Buffer.from(outputFiles[0].contents).toString('base64');
  const namespaces = await import(`data:text/javascript;base64,${text}`);
  return Object.fromEntries(names.map((name, index) => [name, namespaces[`m${index}`]]));
}

const isOperation = (value) => typeof value === 'object' && value !== null && 'method' in value && 'path' in value;
const isPlain = (value) =>
  ['string', 'number', 'boolean'].includes(typeof value) || (Array.isArray(value) && value.every(isPlainItem));
const isPlainItem = (value) => isPlain(value) || (typeof value === 'object' && value !== null && !('~kind' in value));

/** The fields of an operation that the client uses. */
const wireOf = ({ method, path, bytes, media, repetition }) => ({ method, path, bytes, media, repetition });

/** With what decides who may call it: the console offers what a person may do. */
const declaredOf = (operation) => ({
  ...wireOf(operation),
  access: operation.access,
  acts: operation.acts.map(({ right }) => ({ right })),
});

function factsOf(module) {
  return Object.entries(module)
    .filter(([, value]) => isOperation(value) || isPlain(value))
    .map(([name, value]) => `export const ${name} = ${JSON.stringify(isOperation(value) ? declaredOf(value) : value)};`)
    .join('\n');
}

function operationsOf({ operationList }) {
  const list = operationList.map(([name, operation]) => [name, wireOf(operation)]);
  return `export const operationList = ${JSON.stringify(list)};`;
}
