import type { Pool } from './connect.ts';
import { inTransaction } from './connect.ts';

const faults: ReadonlySet<unknown> = new Set([
  // Disk full; other resources exhausted; configuration limit exceeded.
  '53100',
  '53000',
  '53400',
  // I/O error; other system error.
  '58030',
  '58000',
  // The server accepts no writes: a standby, or read-only.
  '25006',
]);

/** Whether PostgreSQL reports that it cannot write. */
export const isWriteFault = (error: unknown): boolean => faults.has((error as { code?: unknown } | undefined)?.code);

const notPermitted = '42501';

/**
 * Writes 64 kB to a temporary table and then to the write-ahead log, as any change does. A role that may not create
 * temporary tables cannot be probed and counts as able to write.
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
