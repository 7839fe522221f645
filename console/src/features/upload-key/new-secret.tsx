import { recorderGuides } from '@earshot/contract/recorder-guides';
import { useState } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { CopyField } from '../../lib/ui/copy-field.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { isLocalAddress } from './local-address.ts';
import { RecorderSettings } from './recorder-settings.tsx';

interface NewSecretProps {
  readonly secret: string;
  readonly onDone: () => void;
}

/** The secret, which the server shows once, and what to write into the settings of each recorder. */
export function NewSecret({ secret, onDone }: NewSecretProps) {
  const guides = recorderGuides({ origin: location.origin, secret });
  const [id, setID] = useState(guides[0]?.id ?? '');
  const guide = guides.find((one) => one.id === id);
  return (
    <div class="stack">
      <p>
        <strong>Copy it now: the secret is not shown again.</strong>
      </p>
      <CopyField label="Secret" text={secret} />
      <FilterSelect
        label="Configuration for"
        value={id}
        options={guides.map((one) => ({ value: one.id, label: one.name }))}
        onChange={setID}
      />
      {guide && <RecorderSettings guide={guide} />}
      {isLocalAddress(location.hostname) && (
        <p class="hint">
          The address {location.origin} works on this computer only. For recorders on other computers, use an address of
          this server that they can reach.
        </p>
      )}
      <div class="form-end">
        <Button kind="primary" onClick={onDone}>
          Done
        </Button>
      </div>
    </div>
  );
}
