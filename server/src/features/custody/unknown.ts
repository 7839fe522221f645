import { readEntryMinutes } from '@earshot/contract/audit';
import { readAuditHead } from '@earshot/contract/audit-head';
import { openNote } from '@earshot/contract/signed-note';

export interface KnownGaps {
  readonly head: string | undefined;
  readonly hiddenCount: number;
  readonly unsealedCount: number;
  readonly isCut: boolean;
}

/** What a custody file cannot know, in sentences for the person who reads it. */
export function describeUnknown({ head, hiddenCount, unsealedCount, isCut }: KnownGaps): string[] {
  const pruned = readAuditHead(openNote(head ?? '')?.text ?? '')?.pruned;
  return [
    'What happened to the sound before it arrived here, and whether the clock of the device was right.',
    'The announcement and the first upload are facts of the database. This file signs them, but the log has no entry of them.',
    `Playback and downloads are recorded once in ${readEntryMinutes} minutes for each session or key of a person. A server that is killed loses the reads of its last seconds.`,
    'Exports whose event was removed since, with downloads of their results; downloads of former sound that was deleted since, and of files that belong to a person and not to the device; reports of alerts that were deleted since.',
    'Whether an export or a report was received whole, and what became of copies outside of this platform.',
    'People and API keys are named by their keys. The file does not know who used them.',
    ...(pruned ? [`Entries from before ${pruned.keptSince} were removed by the retention of the audit trail.`] : []),
    ...(hiddenCount > 0
      ? [`${hiddenCount} entries are from a time when the device had another owner. An admin can export them.`]
      : []),
    ...(unsealedCount > 0
      ? [`${unsealedCount} entries were not sealed yet. Export again in some seconds to get their proofs.`]
      : []),
    ...(isCut ? ['There are more entries; only the oldest are in this file.'] : []),
  ];
}
