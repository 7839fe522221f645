// Checks exported names, from the root folder: node scripts/check-exports.mjs <folder>...
// - Two things never share an exported name.
// - Another file uses an exported name. If only tests do, its own file uses it too; else it is code for tests alone.
// Names are compared as words, so `contract.listDevices` is a use of `listDevices`. Exports of tests and of their helpers
// are not checked.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Folders that use exports of the others. */
const userFolders = ['tests', 'bench', 'training', 'scripts'];
const skippedFolders = new Set(['node_modules', 'dist', 'generated']);
const testFolders = new Set(['tests', 'testing', 'traps']);

const isTest = (path) => /\.test\.tsx?$/.test(path) || path.split('/').some((name) => testFolders.has(name));

function listFiles(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return skippedFolders.has(entry.name) ? [] : listFiles(path);
    return /\.(tsx?|mjs)$/.test(entry.name) ? [path] : [];
  });
}

const commentPattern = /\/\*[^]*?\*\/|(?<=^|\s)\/\/.*$/gm;
const exportPattern = /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;
/** A list of names in a door is no use of them. */
const listPattern = /^export (?:type )?\{[^}]*\} from .*$/gm;

function countWords(text) {
  const counts = new Map();
  for (const [word] of text.matchAll(/\w+/g)) counts.set(word, (counts.get(word) ?? 0) + 1);
  return counts;
}

function readSource(path) {
  const code = readFileSync(path, 'utf8').replaceAll(commentPattern, ' ');
  const names = [...code.matchAll(exportPattern)].map(([, name]) => name);
  return {
    path,
    isTest: isTest(path),
    exported: countWords(names.join(' ')),
    words: countWords(code.replaceAll(listPattern, ' ')),
  };
}

const folders = process.argv.slice(2);
const sources = [...new Set([...folders, ...userFolders].flatMap(listFiles))].map(readSource);
const checked = sources.filter(
  (source) => !source.isTest && folders.some((folder) => source.path.startsWith(`${folder}/`)),
);

/** A type and a value of one name in one file are one thing, so a file counts once. */
const filesOf = new Map();
for (const { path, exported } of checked) {
  for (const name of exported.keys()) filesOf.set(name, [...(filesOf.get(name) ?? []), path]);
}

function findFault(source, name) {
  const [path, other] = filesOf.get(name);
  if (other !== undefined)
    return path === source.path ? `is exported by ${filesOf.get(name).join(' and ')}: rename one of them` : undefined;
  const users = sources.filter((each) => each !== source && each.words.has(name));
  if (users.some((user) => !user.isTest)) return undefined;
  const isUsedInside = source.words.get(name) > source.exported.get(name);
  if (users.length > 0)
    return isUsedInside ? undefined : `in ${path} is used by tests only: delete it, or move it to them`;
  return isUsedInside ? undefined : `in ${path} is not used: delete it`;
}

const faults = checked.flatMap((source) =>
  [...source.exported.keys()].flatMap((name) => {
    const fault = findFault(source, name);
    return fault === undefined ? [] : [`${name} ${fault}`];
  }),
);
for (const fault of faults) console.log(fault);
console.log(`${filesOf.size} exported names, ${faults.length} faults.`);
process.exitCode = faults.length === 0 ? 0 : 1;
