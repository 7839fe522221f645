import { pauseAfterSeconds } from '@earshot/contract/caption-progress';
import type { Db } from '../../../platform/database/connect.ts';
import type { CaptionEngine } from '../../../platform/listening/engine.ts';
import type { RunKey } from './part-queries.ts';
import { findRunVersion } from './part-queries.ts';
import { hasOldOrders } from './task-queries.ts';

/**
 * The engine for the sound of a radio. The third listen takes time, so it pauses while new clips wait for too long. A clip
 * that has begun is continued as it began: otherwise its words so far would be lost.
 */
export async function chooseForRadio(
  db: Db,
  engine: CaptionEngine,
  run: Omit<RunKey, 'engine'>,
): Promise<CaptionEngine> {
  const { forRadio } = engine;
  if (!forRadio) return engine;
  const begunWith = await findRunVersion(db, run);
  const begun = [engine, forRadio].find(({ identity }) => identity.version === begunWith);
  return begun ?? ((await hasOldOrders(db, pauseAfterSeconds)) ? engine : forRadio);
}
