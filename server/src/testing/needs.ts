import { abilities, parts } from '../../../scripts/parts.mjs';

/** What a test needs beside Node and the packages of npm, see scripts/parts.mjs. */
export type Need = keyof typeof parts | keyof typeof abilities;

declare module 'vitest' {
  interface TaskMeta {
    /** Why a test is skipped; `npm test` reads it in the report. */
    missing?: readonly Need[];
  }
}

const known = new Map<Need, boolean>();

export function isMissing(name: Need): boolean {
  const isThere = known.get(name) ?? { ...parts, ...abilities }[name].isThere();
  known.set(name, isThere);
  return !isThere;
}

/**
 * The options of a test, or of a group of tests, that is skipped where one of these is missing:
 * `test('…', needs('curl'), …)`. The only way to skip a test: in CI any other skipped test is a failure.
 */
export function needs(...names: readonly Need[]): { skip?: true; meta?: { missing: readonly Need[] } } {
  const missing = names.filter(isMissing);
  return missing.length === 0 ? {} : { skip: true, meta: { missing } };
}
