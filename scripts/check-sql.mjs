// Checks where SQL stands: node scripts/check-sql.mjs <features root>
// Statements and fragments of SQL are only in files whose name ends in `queries.ts`. An engineer who changes a table finds
// everything that reads or writes it there. Tests may query the database directly.
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

const [root] = process.argv.slice(2);
if (root === undefined) throw new Error('Name the folder of the features.');
const misplaced = listSources(root).filter((path) => !path.endsWith('queries.ts') && hasStatement(join(root, path)));
for (const path of misplaced)
  console.log(`${join(root, path)} has SQL: move it to a file named queries.ts or …-queries.ts`);
console.log(misplaced.length === 0 ? 'SQL stands only in queries.' : `${misplaced.length} files have SQL.`);
process.exitCode = misplaced.length === 0 ? 0 : 1;
