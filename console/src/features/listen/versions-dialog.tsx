import type { CaptionVersion } from '@earshot/contract/caption-version';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Badge } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { showUndoToast, versionsOf } from './data.ts';
import { restore } from './edit.tsx';

interface VersionsDialogProps {
  readonly clipID: number;
  readonly mayEdit: boolean;
  readonly onClose: () => void;
}

/** All versions of the transcript. Restoring one creates a new version. */
export function VersionsDialog({ clipID, mayEdit, onClose }: VersionsDialogProps) {
  const versions = useQuery(versionsOf(clipID));
  const current = versions.data?.find(({ isCurrent }) => isCurrent);
  const goBack = async (version: number) => {
    const done = await attempt(() => restore(clipID, version));
    const former = current?.version;
    if (done && former !== undefined) showUndoToast(`Version ${version} is restored.`, () => restore(clipID, former));
  };
  const findTimes = () =>
    attempt(async () => {
      await api.captionWords({ params: { captionID: clipID } });
      showToast('Word timing requested.');
    });
  return (
    <Dialog title="Versions" onClose={onClose}>
      {current?.isTimed === false && mayEdit && (
        <div class="untimed">
          <p class="quiet">The times of some or all words are estimated.</p>
          <Button small onClick={() => void findTimes()}>
            Detect times from the audio
          </Button>
        </div>
      )}
      <WhenLoaded from={versions}>
        {(list) => (
          <ol class="versions">
            {list.map((version) => (
              <VersionRow
                key={version.version}
                version={version}
                onRestore={mayEdit ? () => void goBack(version.version ?? 1) : undefined}
              />
            ))}
          </ol>
        )}
      </WhenLoaded>
    </Dialog>
  );
}

interface VersionRowProps {
  readonly version: CaptionVersion;
  /** Undefined if the user may not change the transcript. */
  readonly onRestore: (() => void) | undefined;
}

function VersionRow({ version, onRestore }: VersionRowProps) {
  const { version: number = 1, origin, engineName, engineVersion, creationDate, transcript, isCurrent } = version;
  const maker = origin === 'hand' ? 'edited by a person' : [engineName, engineVersion].filter(Boolean).join(' ');
  return (
    <li class="version">
      <div class="version-head">
        <span>
          <strong>Version {number}</strong> <span class="quiet">{maker}</span>
        </span>
        {creationDate && (
          <span class="quiet">
            <Time date={creationDate} />
          </span>
        )}
        {isCurrent && <Badge tone="good">Current</Badge>}
        {!isCurrent && onRestore && (
          <Button small label={`Restore version ${number}`} onClick={onRestore}>
            Restore
          </Button>
        )}
      </div>
      <p class="version-text" dir="auto">
        {transcript || 'Empty transcript'}
      </p>
    </li>
  );
}
