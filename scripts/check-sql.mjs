// Checks where SQL stands: node scripts/check-sql.mjs <features root> [<file that is not moved yet>...]
// A statement, and a fragment of one, stands in a file whose name ends in `queries.ts`, so that whoever changes a table
// finds everything that reads or writes it. Tests may ask the database directly.
import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';

const isTest = (path) => path.endsWith('.test.ts') || path.split(sep).includes('tests');

const listSources = (folder) =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .filter((path) => !isTest(path));

const comments = /\/\*[\s\S]*?\*\/|\/\/.*/g;

/** A template that a connection or a transaction sends: db`…`, tx<Row[]>`…`, parts.db`…`, anyDb`…`. */
const statement = /\b(?:db|tx|\w+Db)(?:<[^`]*?>)?`/;

const hasStatement = (path) => statement.test(readFileSync(path, 'utf8').replaceAll(comments, ''));

const [root, ...exceptions] = process.argv.slice(2);
if (root === undefined) throw new Error('Name the folder of the features.');
const found = listSources(root).filter((path) => !path.endsWith('queries.ts') && hasStatement(join(root, path)));
const misplaced = found.filter((path) => !exceptions.includes(path));
const stale = exceptions.filter((path) => !found.includes(path));
for (const path of misplaced)
  console.log(`${join(root, path)} has SQL: move it to a file named queries.ts or …-queries.ts`);
for (const path of stale) console.log(`${path} has no SQL any more: remove it from the exceptions`);
const count = misplaced.length + stale.length;
console.log(count === 0 ? 'SQL stands only in queries.' : `${count} faults in the places of SQL.`);
process.exitCode = count === 0 ? 0 : 1;
