import { afterAll } from 'vitest';

/*
 * A warning of Node, as of a file that nobody closes or of too many listeners, fails the test file during which it comes.
 * A file that is closed by the garbage collection may have been opened by an earlier test file of the same worker.
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

afterAll(() => {
  const warnings = holder.earshotWarnings?.splice(0) ?? [];
  if (warnings.length === 0) return;
  const first = `Node warned: ${warnings[0]?.message}`;
  throw new Error([first, ...warnings.map(({ name, message, stack }) => stack ?? `${name}: ${message}`)].join('\n'));
});
