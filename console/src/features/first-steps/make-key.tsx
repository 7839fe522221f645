import { shortTextLength } from '@earshot/contract/values';
import { ApiForm } from '../../lib/api-form.tsx';
import { TextField } from '../../lib/ui/field.tsx';

interface MakeKeyProps {
  readonly label: string;
  /** The suggested name. */
  readonly first: string;
  readonly submit: string;
  readonly onMake: (name: string) => Promise<void>;
}

export function MakeKey({ label, first, submit, onMake }: MakeKeyProps) {
  return (
    <ApiForm submit={submit} onSend={({ name = '' }) => onMake(name)}>
      <TextField name="name" label={label} value={first} maxLength={shortTextLength} />
    </ApiForm>
  );
}
