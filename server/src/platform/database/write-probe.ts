import type { Pool } from './connect.ts';
import { inTransaction } from './connect.ts';

const faults: ReadonlySet<unknown> = new Set([
  // The disk is full; other resources are used up; a limit of the configuration.
  '53100',
  '53000',
  '53400',
  // The disk does not work; another fault of the system.
  '58030',
  '58000',
  // The server takes no writes: a standby, or set to read only.
  '25006',
]);

/** Whether PostgreSQL says that it cannot write. */
export const isWriteFault = (error: unknown): boolean => faults.has((error as { code?: unknown } | undefined)?.code);

const notPermitted = '42501';

/**
 * Writes 64 kB to files of its own and then to the log, as any change does. A role that may make no temporary table
 * cannot be probed, and counts as able to write.
 */
export async function probeDatabase(db: Pool): Promise<void> {
  try {
    await inTransaction(db, async (tx) => {
      await tx`set local statement_timeout = '5s'`;
      await tx`
        create temporary table earshot_write_probe on commit drop
        as select repeat('x', 1000) from generate_series(1, 64)`;
    });
  } catch (error) {
    if ((error as { code?: unknown }).code !== notPermitted) throw error;
  }
}
