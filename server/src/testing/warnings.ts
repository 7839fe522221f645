import { readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll } from 'vitest';

/*
 * A warning of Node, as of a file that nobody closes or of too many listeners, fails the test file during which it comes,
 * from the test or from a program of Node that it started. A file that is closed by the garbage collection may have been
 * opened by an earlier test file of the same worker.
 */

/** Evaluated for each test file; the worker keeps one list. */
const holder = globalThis as { earshotWarnings?: Error[] };

/** Not ours: what a package does, and that Node calls a part of it experimental. */
function isOurs({ name, stack = '' }: Error): boolean {
  if (name === 'ExperimentalWarning') return false;
  return name !== 'DeprecationWarning' || !stack.includes('/node_modules/');
}

function noteWarnings(): Error[] {
  const warnings: Error[] = [];
  process.on('warning', (warning) => {
    if (isOurs(warning)) warnings.push(warning);
  });
  return warnings;
}

holder.earshotWarnings ??= noteWarnings();

/** Programs of this worker write their warnings there instead of on their standard error, where few tests look. */
const ofPrograms = join(tmpdir(), `warnings-${process.pid}`);
process.env['NODE_REDIRECT_WARNINGS'] = ofPrograms;

/** As above; of what is deprecated, this file does not say whether a package uses it. */
function takeWarningsOfPrograms(): string[] {
  let text: string;
  try {
    text = readFileSync(ofPrograms, 'utf8');
  } catch {
    return [];
  }
  rmSync(ofPrograms);
  return text
    .split('\n')
    .filter((line) => line.startsWith('(node:') && !/(?:Experimental|Deprecation)Warning:/.test(line));
}

afterAll(() => {
  const own = holder.earshotWarnings?.splice(0) ?? [];
  const messages = [...own.map(({ message }) => message), ...takeWarningsOfPrograms()];
  if (messages.length === 0) return;
  const details = own.map(({ name, message, stack }) => stack ?? `${name}: ${message}`);
  throw new Error([`Node warned: ${messages.join('\n')}`, ...details].join('\n'));
});
