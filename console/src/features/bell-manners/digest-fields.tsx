import type { BellDigest } from '@earshot/contract/bell';
import { viewerZone } from '../../lib/ui/clock.ts';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';

const choices = [
  { value: 'none', label: 'None' },
  { value: 'quiet', label: 'Of quiet hours' },
  { value: 'warning', label: 'Of quiet hours, and below Warning' },
  { value: 'critical', label: 'Of quiet hours, and below Critical' },
];

interface DigestFieldsProps {
  readonly digest: BellDigest | undefined;
  readonly choice: string;
  readonly onChoose: (choice: string) => void;
}

export const choiceOf = (digest: BellDigest | undefined): string => (digest ? (digest.below ?? 'quiet') : 'none');

/** What the fields say; null: no digest. */
export function digestOf({ digestChoice = 'none', digestAt = '', digestZone = '' }: Values): BellDigest | null {
  if (digestChoice === 'none') return null;
  return {
    at: digestAt,
    ...(digestZone === '' ? {} : { timeZone: digestZone }),
    ...(digestChoice === 'warning' || digestChoice === 'critical' ? { below: digestChoice } : {}),
  };
}

/** One message a day to each of the channels of the table. */
export function DigestFields({ digest, choice, onChoose }: DigestFieldsProps) {
  return (
    <>
      <SelectField
        name="digestChoice"
        label="Digest"
        options={choices}
        value={choice}
        onChange={onChoose}
        hint="One message a day by each channel above: how many alerts of each rule are still open. Without it, what came in quiet hours is in the bell alone."
      />
      {choice !== 'none' && (
        <>
          <TextField name="digestAt" label="Time of the digest" type="time" value={digest?.at ?? '07:30'} />
          <TextField
            name="digestZone"
            label="Time zone of the digest"
            value={digest ? (digest.timeZone ?? '') : viewerZone()}
            list={Intl.supportedValuesOf('timeZone')}
            hint="Empty: UTC."
            code
            optional
          />
        </>
      )}
    </>
  );
}
