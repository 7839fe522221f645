import type { Pool } from '../../../../platform/database/connect.ts';
import { inTransaction } from '../../../../platform/database/connect.ts';
import type { MatchFollower } from '../../engine/follower.ts';
import { tryLockEngine } from '../../engine/engine-queries.ts';
import type { RuleCache } from '../../engine/rule-cache.ts';
import type { StateSource } from '../core/states.ts';
import { sourceOf, stateSources } from '../core/states.ts';
import type { DueState } from './due-queries.ts';
import { findDueRows, findDueStates, insertDue, isAnyStateDue, removeDue, spreadDue } from './due-queries.ts';
import type { FoundSpans } from './judge-source.ts';
import { judgeSource } from './judge-source.ts';
import { changeSpans, insertSpans, withdrawSpans } from './span-queries.ts';

/*
 * Judges the states of devices that are due, by their measurements. All of a batch is one transaction, as in judge-batch.ts: what began, what
 * ended, what people are told, that it was done, and when to look again. What is measured meanwhile has a row of its own.
 */

export const mostStatesAtOnce = 500;

/** Returns the number of rows that were judged; 0 if none is due, or another node is judging. */
export async function judgeStates(
  db: Pool,
  cache: RuleCache,
  follower: MatchFollower,
  stateDays: number,
  most = mostStatesAtOnce,
): Promise<number> {
  if (!(await isAnyStateDue(db))) return 0;
  const { count, woken } = await inTransaction(db, async (tx) => {
    const nothing = { count: 0, woken: [] };
    if (!(await tryLockEngine(tx))) return nothing;
    const due = await findDueStates(tx, most);
    const [first] = due;
    if (!first) return nothing;
    const { rules, states } = await cache.read(tx);
    const watched = stateSources.filter((source) => states.some(({ state }) => sourceOf[state.state] === source));
    const ofAll = due.filter(({ deviceID }) => deviceID === null);
    if (ofAll.length > 0) {
      await spreadDue(
        tx,
        watched,
        ofAll.some(({ isRestored }) => isRestored),
      );
      await removeDue(
        tx,
        ofAll.map(({ key }) => key),
      );
      return { count: ofAll.length, woken: [] };
    }
    const restored = new Set(due.flatMap(({ isRestored, deviceID }) => (isRestored ? [deviceID] : [])));
    const done = due.map(({ key }) => key);
    const found: FoundSpans = { added: [], changed: [], ended: [], withdrawn: [], next: [] };
    for (const [source, devices] of dueBySource(due, watched)) {
      // Read before what is measured: a note that commits later stays.
      done.push(...(await findDueRows(tx, source, devices)));
      const own = states.filter(({ state }) => sourceOf[state.state] === source);
      const sinceMs = Math.min(...due.map(({ dueMs }) => dueMs));
      await judgeSource(tx, { source, rules: own, devices, sinceMs, nowMs: first.nowMs, stateDays }, found);
    }
    await withdrawSpans(tx, found.withdrawn);
    const written = [...(await insertSpans(tx, found.added)), ...(await changeSpans(tx, found.changed))];
    const ended = await changeSpans(tx, found.ended);
    const devicesWithWork = await follower.follow(tx, {
      rules,
      written,
      withdrawn: found.withdrawn,
      ended: ended.map(({ key }) => key),
      refused: [],
      clips: [],
      onlyNewClips: false,
      isRestored: ({ deviceID }) => restored.has(deviceID),
    });
    await removeDue(tx, done);
    await insertDue(tx, found.next);
    return { count: due.length, woken: devicesWithWork };
  });
  follower.wake(woken);
  return count;
}

/** The devices that are due, by their source. */
function dueBySource(
  due: readonly DueState[],
  watched: readonly StateSource[],
): ReadonlyMap<StateSource, readonly number[]> {
  return new Map(
    watched.flatMap((source) => {
      const devices = due.flatMap((row) =>
        row.deviceID !== null && (row.source === source || row.source === null) ? [row.deviceID] : [],
      );
      return devices.length === 0 ? [] : [[source, [...new Set(devices)].toSorted((one, other) => one - other)]];
    }),
  );
}
