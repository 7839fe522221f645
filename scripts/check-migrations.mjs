// Migrations are only appended: node scripts/check-migrations.mjs COMMIT compares the working folder with that commit.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const folder = 'server/migrations';

/** What is wrong with the migrations of a checkout, compared with those of an earlier commit. */
export function findMigrationFaults(root, commit) {
  const git = (...args) => execFileSync('git', args, { cwd: root, encoding: 'utf8' });
  const before = git('ls-tree', '--name-only', commit, `${folder}/`)
    .split('\n')
    .filter(Boolean)
    .map((path) => path.slice(folder.length + 1));
  const now = readdirSync(join(root, folder));
  const last = before.toSorted().at(-1) ?? '';
  return [
    ...before.filter((name) => !now.includes(name)).map((name) => `${name} was removed or renamed`),
    ...before
      .filter((name) => now.includes(name))
      .filter((name) => git('show', `${commit}:${folder}/${name}`) !== readFileSync(join(root, folder, name), 'utf8'))
      .map((name) => `${name} was changed; add a new migration instead`),
    ...now
      .filter((name) => !before.includes(name) && name < last)
      .map((name) => `${name} is new, but stands before ${last}; give it the next number`),
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const [commit] = process.argv.slice(2);
  if (commit === undefined) throw new Error('name the commit to compare with, such as origin/main');
  const faults = findMigrationFaults(process.cwd(), commit);
  for (const fault of faults) process.stdout.write(`${fault}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
}
