import type { SoundExport, SoundExports } from '@earshot/contract/audio-clip-export';
import { api } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import { followKinds } from '../../lib/follow.ts';
import type { Query } from '../../lib/query.ts';
import { refresh } from '../../lib/query.ts';

/** Exports in progress and exports that are kept, and the limit. */
export const soundExports: Query<SoundExports> = {
  key: 'exports',
  load: () => api.listSoundExports(),
  follow: followKinds('event', 'collection'),
};

export const exportRecord = ({ eventID }: SoundExport): string => `export ${eventID}`;

/** Cancels an export in progress, or deletes the result. */
export function dropExport(made: SoundExport, name: string): void {
  const { eventID = 0, fileID } = made;
  const text = fileID === undefined ? `The export of ${name} is cancelled.` : `The export of ${name} is deleted.`;
  deferAction(exportRecord(made), text, async () => {
    if (fileID === undefined) await api.cancelEvent({ params: { eventID } });
    else await api.deleteFile({ params: { fileID } });
    refresh([soundExports.key]);
  });
}
