import type { RuleAlertDetails } from '@earshot/contract/alert';
import { mostReportBytes, mostReportClips } from '@earshot/contract/alert';
import type { Pool } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { recordAct } from '../../audit/public.ts';
import { showTexts } from '../../rule/public.ts';
import { readAlert } from '../rules.ts';
import type { ReportedMatch } from './queries.ts';
import { findPeopleNames, findReportedMatches, findWhenOfAlert } from './queries.ts';

export interface AlertReportParts {
  readonly db: Pool;
  readonly storage: Storage;
}

/** Why the sound of a clip is not in a report. */
export type MissingSound = 'not here' | 'too many clips' | 'too many bytes';

export interface ReportedClip extends ReportedMatch {
  readonly text: string | undefined;
  /** Undefined: the sound is in the report. */
  readonly missing: MissingSound | undefined;
}

/** An alert as a report shows it: with what the caller may read now. */
export interface AlertReport {
  readonly alert: RuleAlertDetails;
  readonly clips: readonly ReportedClip[];
  readonly people: ReadonlyMap<number, string>;
}

/** Clips of which a report has a line. */
const mostLines = 10_000;

export async function makeReport({ db }: AlertReportParts, caller: Caller, alertID: number): Promise<AlertReport> {
  const alert = await readAlert(db, caller, alertID);
  const matches = await findReportedMatches(db, caller, alertID, mostLines);
  const when = await findWhenOfAlert(db, alertID);
  const shown = matches.slice(0, mostReportClips).flatMap(({ audioClipID }) => audioClipID ?? []);
  const texts = when ? await showTexts(db, caller, when, shown) : new Map();
  const named = [alert.userID, alert.assigneeID, ...alert.notes.map(({ userID }) => userID)];
  const people = await findPeopleNames(
    db,
    named.filter((key) => key !== undefined && key !== null),
  );
  for (const deviceID of alert.deviceIDs ?? [])
    await recordAct(db, caller, 'alert-reported', { recordID: alertID, deviceID });
  return {
    alert,
    people,
    clips: fit(matches).map((clip) => ({ ...clip, text: texts.get(clip.audioClipID ?? 0)?.text })),
  };
}

/** Decides whose sound is in the report: the first clips, as long as they fit. */
export function fit<Clip extends Pick<ReportedMatch, 'fileSize' | 'storageName'>>(
  clips: readonly Clip[],
): (Clip & { readonly missing: MissingSound | undefined })[] {
  let bytes = 0;
  return clips.map((clip, at) => {
    if (at >= mostReportClips) return { ...clip, missing: 'too many clips' };
    if (clip.storageName === null || clip.fileSize === null) return { ...clip, missing: 'not here' };
    if (bytes + clip.fileSize > mostReportBytes) return { ...clip, missing: 'too many bytes' };
    bytes += clip.fileSize;
    return { ...clip, missing: undefined };
  });
}
