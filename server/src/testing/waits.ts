import { vi } from 'vitest';
import { waitMs } from './limits.ts';

/*
 * Vitest has a setting for the limit of `expect.poll`, and none for these two, whose default is one second.
 */

type Options = Parameters<typeof vi.waitFor>[1];

const withLimit = (options: Options): Exclude<Options, number | undefined> => ({
  timeout: waitMs,
  ...(typeof options === 'number' ? { timeout: options } : options),
});

const holder = globalThis as { earshotHasLimits?: true };

// Evaluated for each test file of a worker, which share `vi`.
if (!holder.earshotHasLimits) {
  holder.earshotHasLimits = true;
  const { waitFor, waitUntil } = vi;
  vi.waitFor = (act, options) => waitFor(act, withLimit(options));
  vi.waitUntil = (check, options) => waitUntil(check, withLimit(options));
}
