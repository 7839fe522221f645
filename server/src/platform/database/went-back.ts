/*
 * Whether a database went back: whether changes that it acknowledged are missing, because a standby without them became
 * the primary, a former primary came back, or a copy was started.
 *
 * A position is a number of bytes in the log of PostgreSQL. What is acknowledged at a position stays there as long as the same
 * server works. Another one has all of it if it continued from there or later: a server that was promoted tells up to where it
 * had replayed the log, one that just started tells where the one before it stopped. Its timeline is never lower, because each promotion makes a
 * higher one.
 */

export interface LogPosition {
  readonly atMs: number;
  readonly timeline: number;
  readonly bytes: number;
  /** When the server was started. */
  readonly startedMs: number;
  /** Where the server stopped to replay the log of another, or its own after a crash; null if it did neither. */
  readonly replayedBytes: number | null;
  /** Of the last checkpoint: of a server that has just started after a proper stop, where that stop was. */
  readonly checkpointBytes: number;
}

export interface Loss {
  /** What was acknowledged later than this is missing; undefined if that was before the first known position. */
  readonly sinceMs: number | undefined;
  readonly untilMs: number;
  /** Of the log, at least. */
  readonly lostBytes: number;
}

/** `known` are the positions that were acknowledged, the oldest first. */
export function findLoss(known: readonly LogPosition[], now: LogPosition): Loss | undefined {
  const last = known.at(-1);
  if (!last) return undefined;
  const isSameServer = now.timeline === last.timeline && now.startedMs === last.startedMs;
  const reached = isSameServer ? now.bytes : (now.replayedBytes ?? now.checkpointBytes);
  if (now.timeline >= last.timeline && reached >= last.bytes) return undefined;
  const kept = known.findLast(({ timeline, bytes }) => timeline <= now.timeline && bytes <= reached);
  return { sinceMs: kept?.atMs, untilMs: last.atMs, lostBytes: Math.max(last.bytes - reached, 0) };
}
