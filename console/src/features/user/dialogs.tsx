import type { User } from '@earshot/contract/user';
import { emailLength } from '@earshot/contract/user';
import { shortTextLength } from '@earshot/contract/values';
import { useEffect, useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api, errorMessage } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { Skeleton } from '../../lib/ui/elements.tsx';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { userName } from './data.ts';

/** A random password that is never shown. The person sets their own with the reset link. */
const unknownPassword = (): string =>
  Array.from(crypto.getRandomValues(new Uint8Array(32)), (byte) => byte.toString(16).padStart(2, '0')).join('');

const roles = [
  { value: 'member', label: 'Member: access to own and shared devices' },
  { value: 'admin', label: 'Admin: access to everything' },
];

export function AddPersonDialog({ onClose }: { readonly onClose: () => void }) {
  const [added, setAdded] = useState<User | undefined>();
  const add = async ({ email = '', displayName = '', role = '' }: Values) => {
    const body = {
      email,
      displayName: displayName || null,
      password: unknownPassword(),
      role: role === 'admin' ? ('admin' as const) : ('member' as const),
    };
    setAdded(await api.createUser({ body }));
    refresh(['people']);
  };
  if (added) return <ResetLinkDialog user={added} onClose={onClose} isNew />;
  return (
    <Dialog title="Add a person" onClose={onClose}>
      <ApiForm submit="Add" onSend={add} onCancel={onClose}>
        <TextField name="email" label="Email" type="email" maxLength={emailLength} focused />
        <TextField name="displayName" label="Name" maxLength={shortTextLength} optional />
        <SelectField name="role" label="Role" options={roles} value="member" />
      </ApiForm>
    </Dialog>
  );
}

interface ResetLinkProps {
  readonly user: User;
  readonly isNew?: boolean;
  readonly onClose: () => void;
}

export function ResetLinkDialog({ user, isNew = false, onClose }: ResetLinkProps) {
  const [link, setLink] = useState('');
  const [problem, setProblem] = useState('');
  useEffect(() => {
    api.createPasswordReset({ params: { userID: user.key ?? 0 } }).then(
      ({ resetURL }) => setLink(new URL(resetURL, location.origin).href),
      (error: unknown) => setProblem(errorMessage(error)),
    );
  }, [user.key]);
  return (
    <Dialog title={isNew ? `${userName(user)} is added` : `Password reset for ${userName(user)}`} onClose={onClose}>
      <p>Send this link to the person. They use it to set a password. It works once and expires after one hour.</p>
      {problem && (
        <p class="alert" role="alert">
          {problem}
        </p>
      )}
      {link ? <CopyField label="Link" text={link} /> : !problem && <Skeleton rows={1} />}
      <div class="form-end">
        <Button kind="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </Dialog>
  );
}
