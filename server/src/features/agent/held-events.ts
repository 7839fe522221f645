import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';

/**
 * Called on contact of an agent: releases the events that a former process held, renews those that this one processes.
 */
export interface HeldEvents {
  release(
    tx: Db,
    caller: Caller,
    former: { agentID: number; processID: number; formerProcessID: number | null },
  ): Promise<void>;
  renew(tx: Db, agentID: number, processID: number | undefined): Promise<void>;
  /** The same as part of a statement; `agents` is a query for the keys of the agents. */
  renewal(db: Db, agents: Fragment): Fragment;
}
