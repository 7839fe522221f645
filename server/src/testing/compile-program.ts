import { createHash } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { buildSync } from 'esbuild';
import { stopAtWorkerEnd } from './worker-end.ts';

/** Below node_modules, where programs find the packages that they import. */
const folder = fileURLToPath(new URL('../../../node_modules/.cache/earshot-tests', import.meta.url));
const compiled = new Map<string, string>();

/**
 * Compiles TypeScript for processes of their own, and returns the path of the program. Once per worker: compiling at
 * each start would take more processor time than most programs of the tests.
 */
export function compileProgram(source: string): string {
  const known = compiled.get(source);
  if (known !== undefined) return known;
  const name = createHash('sha256').update(source).digest('hex').slice(0, 16);
  const outfile = join(folder, `${name}-${process.pid}.mjs`);
  buildSync({
    stdin: { contents: source, loader: 'ts', resolveDir: import.meta.dirname },
    outfile,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    packages: 'external',
  });
  compiled.set(source, outfile);
  stopAtWorkerEnd(() => rm(outfile, { force: true }));
  return outfile;
}
