import type { UploadKey } from '@earshot/contract/upload-key';
import { longestGraceDays } from '@earshot/contract/upload-key';
import { longTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import { CheckField, SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { keyName } from './data.ts';
import { NewSecret } from './new-secret.tsx';

export type KeyAction = 'create' | 'edit' | 'replace' | 'delete';

interface DialogProps {
  readonly uploadKey: UploadKey;
  readonly onClose: () => void;
}

interface KeyDialogProps {
  readonly action: KeyAction;
  /** Missing for a new key. */
  readonly uploadKey?: UploadKey;
  readonly onClose: () => void;
}

export function KeyDialog({ action, uploadKey = {}, onClose }: KeyDialogProps) {
  const Shown = { create: CreateDialog, edit: EditDialog, replace: ReplaceDialog, delete: DeleteDialog }[action];
  return <Shown uploadKey={uploadKey} onClose={onClose} />;
}

function KeyFields({ uploadKey }: { readonly uploadKey: UploadKey }) {
  return (
    <>
      <TextField
        name="uploadKeyDescription"
        label="Description"
        hint="For example: Scanner in the attic"
        value={uploadKey.uploadKeyDescription ?? ''}
        maxLength={longTextLength}
        focused
        optional
      />
      <CheckField
        name="transcribe"
        label="May ask for transcripts"
        hint="Programs with this key may also send sound only to get its transcript back, as with the API of OpenAI. Uploaded recordings are transcribed in any case, unless their device is set otherwise."
        checked={uploadKey.transcribe ?? false}
      />
    </>
  );
}

function CreateDialog({ uploadKey, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | undefined>();
  const create = async ({ uploadKeyDescription = '', transcribe }: Values) => {
    const body = { transcribe: transcribe === 'true', ...(uploadKeyDescription ? { uploadKeyDescription } : {}) };
    const created = await api.createUploadKey({ body });
    refresh(['upload keys']);
    setSecret(created.secret);
  };
  return (
    <Dialog title={secret === undefined ? 'Create upload key' : 'Your new upload key'} onClose={onClose}>
      {secret === undefined ? (
        <ApiForm submit="Create" onSend={create} onCancel={onClose}>
          <KeyFields uploadKey={uploadKey} />
        </ApiForm>
      ) : (
        <NewSecret secret={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

function EditDialog({ uploadKey, onClose }: DialogProps) {
  const save = async ({ uploadKeyDescription = '', transcribe }: Values) => {
    await api.updateUploadKey({
      params: { uploadKeyID: uploadKey.key ?? 0 },
      body: { uploadKeyDescription: uploadKeyDescription || null, transcribe: transcribe === 'true' },
    });
    refresh(['upload keys']);
    showToast('Saved.');
    onClose();
  };
  return (
    <Dialog title="Edit upload key" onClose={onClose}>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        <KeyFields uploadKey={uploadKey} />
      </ApiForm>
    </Dialog>
  );
}

const graceText = (days: number): string =>
  days === 0 ? 'At once' : days === 1 ? 'After 1 day' : `After ${days} days`;

const graceOptions = Array.from({ length: longestGraceDays + 1 }, (_, days) => ({
  value: String(days),
  label: graceText(days),
}));

function ReplaceDialog({ uploadKey, onClose }: DialogProps) {
  const [secret, setSecret] = useState<string | undefined>();
  const replace = async ({ graceDays }: Values) => {
    const params = { uploadKeyID: uploadKey.key ?? 0 };
    const replaced = await api.replaceUploadSecret({ params, body: { graceDays: Number(graceDays) } });
    refresh(['upload keys']);
    setSecret(replaced.secret);
  };
  return (
    <Dialog title={secret === undefined ? 'Replace secret' : 'Your new secret'} onClose={onClose}>
      {secret === undefined ? (
        <ApiForm submit="Replace secret" onSend={replace} onCancel={onClose}>
          <p>
            <UserText text={keyName(uploadKey)} /> gets a new secret and keeps its devices. Choose how long recorders
            may use the present secret, and configure them with the new one in that time.
          </p>
          <SelectField
            name="graceDays"
            label="The present secret is refused"
            options={graceOptions}
            value="1"
            hint="If the secret is stolen, choose “At once”. A secret that was replaced earlier is refused at once in any case."
          />
        </ApiForm>
      ) : (
        <NewSecret secret={secret} onDone={onClose} />
      )}
    </Dialog>
  );
}

function DeleteDialog({ uploadKey, onClose }: DialogProps) {
  const remove = async () => {
    await api.deleteUploadKey({ params: { uploadKeyID: uploadKey.key ?? 0 } });
    refresh(['upload keys']);
    showToast('The upload key is deleted.');
    onClose();
  };
  return (
    <Dialog title="Delete upload key" onClose={onClose}>
      <ApiForm submit="Delete key" onSend={remove} onCancel={onClose}>
        <p>
          Recorders can then no longer upload with <UserText text={keyName(uploadKey)} />. The devices that it created
          stay, with all their clips.
        </p>
      </ApiForm>
    </Dialog>
  );
}
