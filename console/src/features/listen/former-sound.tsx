import type { AudioClipVersion } from '@earshot/contract/audio-clip-version';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { durationText } from '@earshot/contract/duration-text';
import { Section } from '../../lib/ui/elements.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { Time } from '../../lib/ui/time.tsx';
import { allUsers, userName } from '../user/public.ts';
import { formerSoundOf, lockOf } from './data.ts';

/** What the clip had before somebody replaced its sound or took it away. For the owner and admins. */
export function FormerSound({ clipID }: { readonly clipID: number }) {
  const { data: versions = [] } = useQuery(formerSoundOf(clipID));
  const { data: lock } = useQuery(lockOf(clipID));
  const [deleting, setDeleting] = useState<AudioClipVersion>();
  if (versions.length === 0) return null;
  const isLocked = lock?.locked === true;
  return (
    <Section title="Former sound" count={versions.length}>
      <div class="former-sound">
        <p class="quiet">
          What this clip had before it was changed, for the owner of the device and admins.
          {isLocked && ' The clip is locked: unlock it to delete former sound.'}
        </p>
        <ol class="versions">
          {versions.map((version) => (
            <Version key={version.key} version={version} onDelete={isLocked ? undefined : () => setDeleting(version)} />
          ))}
        </ol>
      </div>
      {deleting && <DeleteDialog version={deleting} onClose={() => setDeleting(undefined)} />}
    </Section>
  );
}

interface VersionProps {
  readonly version: AudioClipVersion;
  /** Undefined while the clip is locked. */
  readonly onDelete: (() => void) | undefined;
}

function Version({ version, onDelete }: VersionProps) {
  const { key = 0, audioClipID = 0, durationMs, fileSize = 0, formerDate = '', sHA256Hash, transcript } = version;
  const { data: users = [] } = useQuery(allUsers);
  const person = users.find((user) => user.key === version.replacedBy);
  const length = durationMs === undefined ? '' : `${durationText(durationMs)}, `;
  return (
    <li class="version">
      <div class="version-head">
        <span>
          Until <Time date={formerDate} />
          {person && <span class="quiet">, by {userName(person)}</span>}
        </span>
        {onDelete && (
          <Button small icon="trash" label="Delete this former sound" onClick={onDelete}>
            Delete
          </Button>
        )}
      </div>
      <audio controls preload="none" src={`/v1/audioclip/${audioClipID}/version/${key}/content`} />
      <p class="quiet">
        {length}
        {sizeText(fileSize)}
        {sHA256Hash && (
          <>
            , SHA-256 <code title={sHA256Hash}>{sHA256Hash.slice(0, 12)}…</code>
          </>
        )}
      </p>
      {transcript && (
        <p class="version-text" dir="auto">
          {transcript}
        </p>
      )}
    </li>
  );
}

interface DeleteProps {
  readonly version: AudioClipVersion;
  readonly onClose: () => void;
}

function DeleteDialog({ version, onClose }: DeleteProps) {
  const remove = async () => {
    const { audioClipID = 0, key: audioClipVersionID = 0 } = version;
    await api.deleteAudioClipVersion({ params: { audioClipID, audioClipVersionID } });
    showToast('The former sound is deleted.');
    onClose();
  };
  return (
    <Dialog title="Delete former sound?" onClose={onClose}>
      <ApiForm submit="Delete for good" onSend={remove} onCancel={onClose}>
        <p>
          Its audio and its transcripts are deleted for good. The audit trail keeps that you deleted it, with its
          SHA-256.
        </p>
      </ApiForm>
    </Dialog>
  );
}
