import type { AudioClipWithNames } from '@earshot/contract/audio-clip';
import { addCollectionItem } from '@earshot/contract/collection-item';
import { tagNameLength } from '@earshot/contract/tag';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { useQuery } from '../../lib/query.ts';
import { Button, LinkButton } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Empty } from '../../lib/ui/elements.tsx';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allCollections } from '../collection/public.ts';
import { may } from '../right/public.ts';
import { byDevice, collectClips, removeClips, tagClips } from './actions.ts';
import { allTags } from './data.ts';
import { ExportDialog } from './export-dialog.tsx';

interface BulkProps {
  readonly clips: readonly AudioClipWithNames[];
  readonly onClose: () => void;
}

interface ExportSelectedProps extends BulkProps {
  readonly sound: readonly AudioClipWithNames[];
}

export function ExportSelected({ clips, sound, onClose }: ExportSelectedProps) {
  const away = clips.length - sound.length;
  const devices = [...byDevice(sound)];
  return (
    <ExportDialog
      title="Export audio"
      about={
        `${countText(sound.length, 'clip')}, joined into ${countText(devices.length, 'file')}.` +
        (away > 0 ? ` ${countText(away, 'clip')} without available audio will be left out.` : '')
      }
      parts={devices.map(([deviceID, of]) => ({
        label: `${of[0]?.deviceName || `Device ${deviceID}`}, ${countText(of.length, 'clip')}`,
        send: ({ format, gaps }) =>
          api.concatenateAudioClips({
            query: { usevrs: true },
            body: { deviceID, format, gaps, audioClips: of.map(({ key = 0 }) => ({ key })) },
          }),
      }))}
      onClose={onClose}
    />
  );
}

export function TagDialog({ clips, onClose }: BulkProps) {
  const { data: tags = [] } = useQuery(allTags);
  const send = async ({ tagName = '' }: Values) => {
    await tagClips(clips, tagName);
    onClose();
  };
  return (
    <Dialog title={`Tag ${countText(clips.length, 'clip')}`} onClose={onClose}>
      <ApiForm submit="Tag" onSend={send} onCancel={onClose}>
        <TextField
          name="tagName"
          label="Tag"
          hint="Choose a tag, or type a new one."
          maxLength={tagNameLength}
          list={tags.map(({ tagName = '' }) => tagName)}
          focused
        />
      </ApiForm>
    </Dialog>
  );
}

/** A collection contains files: the sound of the clips is added. */
export function CollectDialog({ clips, onClose }: BulkProps) {
  const { data } = useQuery(allCollections);
  const collections = data?.filter(({ key }) => may(addCollectionItem, { collectionID: key }));
  const title = `Add ${countText(clips.length, 'clip')} to a collection`;
  const [first] = collections ?? [];
  const send = async ({ collectionID = '' }: Values) => {
    const id = Number(collectionID) || first?.key || 0;
    const name = collections?.find(({ key }) => key === id)?.collectionName ?? '';
    await collectClips(clips, id, name);
    onClose();
  };
  if (collections && !first) {
    return (
      <Dialog title={title} onClose={onClose}>
        <Empty title="No collections yet" action={<LinkButton href="/collections">Go to Collections</LinkButton>}>
          Create a collection first. There is none that you may change.
        </Empty>
      </Dialog>
    );
  }
  return (
    <Dialog title={title} onClose={onClose}>
      <p class="quiet">The audio files of the clips are added. Everybody in the collection can download them.</p>
      {first && (
        <ApiForm submit="Add" onSend={send} onCancel={onClose}>
          <SelectField
            name="collectionID"
            label="Collection"
            value={String(first.key)}
            options={(collections ?? []).map(({ key, collectionName = '' }) => ({
              value: String(key),
              label: collectionName || `Collection ${key}`,
            }))}
          />
        </ApiForm>
      )}
    </Dialog>
  );
}

interface DeleteProps extends BulkProps {
  readonly onDeleted: () => void;
}

export function DeleteDialog({ clips, onClose, onDeleted }: DeleteProps) {
  const remove = () => {
    removeClips(clips);
    onDeleted();
  };
  return (
    <Dialog title={`Delete ${countText(clips.length, 'clip')}?`} onClose={onClose}>
      <p>
        Their audio, transcripts and tags are deleted as well. You can undo it for a few seconds, and not after that.
      </p>
      <div class="form-end">
        <Button kind="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button kind="danger" onClick={remove}>
          Delete
        </Button>
      </div>
    </Dialog>
  );
}
