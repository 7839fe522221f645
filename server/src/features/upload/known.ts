import { parseDateTime } from '@earshot/contract/date-time';
import type { GivenRecording, KnownQuestion, KnownRecording } from '@earshot/contract/upload';
import { invalid, invalidField } from '../../errors.ts';
import type { Db } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import type { AskedRecording } from './known-queries.ts';
import { findKnownHashes, findKnownRecordings } from './known-queries.ts';

/** Enough errors for the caller to correct the list. */
const mostErrors = 20;

export async function listKnown(db: Db, caller: Caller, asked: KnownQuestion): Promise<KnownRecording[]> {
  const { recordings, hashes } = asked;
  if (recordings && hashes) throw invalidField('hashes', 'must be missing if there are recordings');
  if (hashes) return findKnownHashes(db, caller, [...new Set(hashes.map((hash) => hash.toLowerCase()))]);
  if (!recordings) throw invalidField('recordings', 'is required');
  const nameless = recordings.flatMap(({ deviceID, deviceSerial }, index) =>
    (deviceID ?? deviceSerial ?? caller.deviceID) === undefined
      ? [{ path: `recordings[${index}].deviceID`, message: 'or deviceSerial is required' }]
      : [],
  );
  if (nameless.length > 0) throw invalid(nameless.slice(0, mostErrors));
  return findKnownRecordings(db, caller, recordings.map(askedRecording(caller)));
}

const askedRecording =
  (caller: Caller) =>
  ({ deviceID, deviceSerial, startDate, sHA256Hash }: GivenRecording): AskedRecording => ({
    deviceID: deviceID ?? (deviceSerial === undefined ? (caller.deviceID ?? null) : null),
    deviceSerial: deviceSerial ?? null,
    startMs: parseDateTime(startDate)?.getTime() ?? 0,
    sha256: sHA256Hash.toLowerCase(),
  });
