// Two things never share an exported name: node scripts/check-exports.mjs <folder>...
// Tests are left out: their helpers are used within one folder.
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const isTestFolder = (name) => name === 'tests' || name === 'testing';
const isSource = (name) => /\.tsx?$/.test(name) && !/\.test\.tsx?$/.test(name);

function listSources(folder) {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return isTestFolder(entry.name) ? [] : listSources(path);
    return isSource(entry.name) ? [path] : [];
  });
}

const exportPattern = /^export (?:async )?(?:function\*?|const|let|class|interface|type|enum) (\w+)/gm;

const filesOf = new Map();
for (const path of process.argv.slice(2).flatMap(listSources)) {
  // A type and a value of one name in one file are one thing.
  for (const name of new Set([...readFileSync(path, 'utf8').matchAll(exportPattern)].map(([, each]) => each))) {
    filesOf.set(name, [...(filesOf.get(name) ?? []), path]);
  }
}
const shared = [...filesOf].filter(([, paths]) => paths.length > 1);
for (const [name, paths] of shared) console.log(`${name} is exported by ${paths.join(' and ')}: rename one of them`);
console.log(
  shared.length === 0 ? `${filesOf.size} exported names, each of one thing.` : `${shared.length} shared names.`,
);
process.exitCode = shared.length === 0 ? 0 : 1;
