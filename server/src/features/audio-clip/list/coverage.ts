import type { Coverage, CoverageFilter, Span } from '@earshot/contract/audio-clip-coverage';
import { longestCoverageDays, mostCoverageSpans } from '@earshot/contract/audio-clip-coverage';
import { invalidField } from '../../../errors.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { requireDevice } from '../../../access.ts';
import type { SpanMs } from './coverage-queries.ts';
import { findCoverage } from './coverage-queries.ts';
import { readRange } from './filter.ts';
import { requireDeviceNamed } from '../../device/public.ts';

/** Two per minute of a year, which the database reads in about a second. */
const mostClips = 1_000_000;
const daySeconds = 86_400;

export async function readCoverage(db: Db, caller: Caller, given: CoverageFilter): Promise<Coverage> {
  const { startEpoch, endEpoch, deviceSerial, shortestGapSeconds = 1 } = given;
  readRange(given);
  if (endEpoch - startEpoch > longestCoverageDays * daySeconds) {
    throw invalidField('endEpoch', `must be at most ${longestCoverageDays} days after startEpoch`);
  }
  const deviceID = given.deviceID || (await requireDeviceNamed(db, caller, 'read', { deviceSerial }));
  const range: SpanMs = [startEpoch * 1000, endEpoch * 1000];
  const shortestGapMs = shortestGapSeconds * 1000;
  const found = await findCoverage(db, caller, {
    deviceID,
    fromMs: range[0],
    toMs: range[1],
    typeID: given.audioClipTypeID,
    shortestGapMs,
    mostClips,
    mostSpans: mostCoverageSpans,
  });
  if (found.clipCount === 0) await requireDevice(db, caller, 'read', deviceID);
  const gaps = gapsBetween(found.recorded, range, shortestGapMs);
  const spans = Math.max(found.recorded.length, found.available.length, gaps.length);
  if (found.clipCount > mostClips || spans > mostCoverageSpans) {
    throw invalidField('endEpoch', 'gives a range with too many spans: shorten it, or ignore longer gaps');
  }
  return {
    deviceID,
    startEpoch,
    endEpoch,
    clipCount: found.clipCount,
    recordedSeconds: found.recordedMs / 1000,
    availableSeconds: found.availableMs / 1000,
    missingSeconds: (range[1] - range[0] - found.recordedMs) / 1000,
    recorded: found.recorded.map(asSpan),
    available: found.available.map(asSpan),
    gaps: gaps.map(asSpan),
  };
}

/** The gaps before, between and after the spans within the range, without those that are too short to count. */
function gapsBetween(spans: readonly SpanMs[], [fromMs, toMs]: SpanMs, shortestMs: number): SpanMs[] {
  const starts = [fromMs, ...spans.map(([, end]) => end)];
  const ends = [...spans.map(([start]) => start), toMs];
  return starts
    .map((start, index): SpanMs => [start, ends[index] ?? toMs])
    .filter(([start, end]) => end > start && end - start >= shortestMs);
}

const asSpan = ([fromMs, toMs]: SpanMs): Span => ({
  startTime: Math.floor(fromMs / 1000),
  startTimeMs: fromMs % 1000,
  endTime: Math.floor(toMs / 1000),
  endTimeMs: toMs % 1000,
});
