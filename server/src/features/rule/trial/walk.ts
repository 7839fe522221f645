import type { Db } from '../../../platform/database/connect.ts';
import type { PlacedClip } from '../core/windows.ts';
import type { StartRange } from './candidate-queries.ts';
import { findByGrams, findByValues, findClipsBy, findEdge, findNewestStart } from './candidate-queries.ts';
import type { Driver } from './driver.ts';

/*
 * The clips that may match, from the newest on, in pages. Each statement is bounded by the number of its rows.
 *
 *   words    the newest few thousand captions are compared. If the words are common there, so are the others, page by page;
 *            else all clips with the words are looked up in the index of grams
 *   values   all clips with a rare value are looked up in the index of values
 *   others   stretches of time, which grow while they contain few clips
 */

const firstLook = 5_000;
/** With so many among the captions of the first look, the words are common. */
const commonIn = 400;
/** The captions of so few devices are read along the index of each. */
const fewDevices = 10;
const pageSize = 2_000;
const firstStretchMs = 3_600_000;
const growth = 4;

export interface CandidatePage {
  /** The newest first. */
  readonly clips: readonly PlacedClip[];
  /** All candidates that begin at this time or later have been given. */
  readonly reachedMs: number;
}

export async function* walkCandidates(
  tx: Db,
  driver: Driver,
  devices: readonly number[] | undefined,
  { fromMs, toMs }: StartRange,
): AsyncGenerator<CandidatePage> {
  const newestMs = await findNewestStart(tx, devices, toMs);
  if (newestMs === undefined || newestMs < fromMs) return;
  let untilMs = newestMs + 1;
  let lengthMs = firstStretchMs;
  if (driver.kind === 'words' && (devices?.length ?? Infinity) > fewDevices) {
    // What begins at the same time as the caption at the edge is in the next page.
    const edgeMs = await findEdge(tx, { fromMs, toMs: untilMs }, firstLook);
    const lookMs = edgeMs === undefined ? fromMs : edgeMs + 1;
    const first = await findClipsBy(tx, driver, devices, { fromMs: lookMs, toMs: untilMs }, firstLook);
    yield { clips: first, reachedMs: lookMs };
    if (edgeMs === undefined) return;
    lengthMs = untilMs - edgeMs;
    untilMs = lookMs;
    if (first.length < commonIn) {
      const older = await findByGrams(tx, driver, devices, { fromMs, toMs: untilMs }, mostByGrams);
      const lastMs = older.length < mostByGrams ? undefined : older.at(-1)!.startMs;
      yield* pagesOf(
        older.filter(({ startMs }) => lastMs === undefined || startMs > lastMs),
        lastMs === undefined ? fromMs : lastMs + 1,
      );
      if (lastMs === undefined) return;
      untilMs = lastMs + 1;
    }
  }
  if (driver.kind === 'measured') {
    const rare = await findByValues(tx, driver, devices, { fromMs, toMs: untilMs }, mostByValues);
    if (rare) return yield* pagesOf(rare, fromMs);
  }
  for (let most = pageSize; untilMs > fromMs;) {
    const stretch = { fromMs: Math.max(fromMs, untilMs - lengthMs), toMs: untilMs };
    const clips = await findClipsBy(tx, driver, devices, stretch, most);
    if (clips.length < most) {
      yield { clips, reachedMs: stretch.fromMs };
      untilMs = stretch.fromMs;
      if (clips.length < most / growth) lengthMs *= growth;
      continue;
    }
    // More may begin at the time of the last one: it is in the next page.
    const lastMs = clips.at(-1)!.startMs;
    const whole = clips.filter(({ startMs }) => startMs > lastMs);
    if (whole.length === 0) most *= 2;
    else {
      yield { clips: whole, reachedMs: lastMs + 1 };
      untilMs = lastMs + 1;
      lengthMs = Math.max(1, Math.floor(lengthMs / growth));
    }
  }
}

/** Values that more clips have are found by time. */
const mostByValues = 50_000;

/** Words of which so many are in older clips are common there. */
const mostByGrams = 200_000;

/** `reachedMs`: these are all until then. Clips of one time may be in two pages. */
function* pagesOf(clips: readonly PlacedClip[], reachedMs: number): Generator<CandidatePage> {
  for (let at = 0; at < clips.length; at += pageSize) {
    const page = clips.slice(at, at + pageSize);
    const isLast = at + pageSize >= clips.length;
    yield { clips: page, reachedMs: isLast ? reachedMs : page.at(-1)!.startMs + 1 };
  }
}
