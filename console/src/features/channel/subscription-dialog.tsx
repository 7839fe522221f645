import type { Channel } from '@earshot/contract/channel';
import type { LiveChangeName } from '@earshot/contract/live-change';
import { liveChangeNames } from '@earshot/contract/live-change';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { InputProblem } from '../../lib/input-problem.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import { CheckField, SelectField } from '../../lib/ui/field.tsx';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import type { PickOption } from '../../lib/ui/find-options.ts';
import { Icon } from '../../lib/ui/icon.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { textOfChange } from './change-text.ts';
import { allSubscriptions, channelText } from './data.ts';

interface SubscriptionDialogProps {
  /** Those that take changes; at least one. */
  readonly channels: readonly Channel[];
  readonly onClose: () => void;
}

export function SubscriptionDialog({ channels, onClose }: SubscriptionDialogProps) {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const [changes, setChanges] = useState<readonly string[]>([]);
  const [deviceIDs, setDevices] = useState<readonly string[]>([]);
  const [collectionIDs, setCollections] = useState<readonly string[]>([]);
  const add = async ({ channelID = '', includesWords }: Values) => {
    if (changes.length === 0) throw new InputProblem('Choose at least one change.');
    const where = { deviceIDs: deviceIDs.map(Number), collectionIDs: collectionIDs.map(Number) };
    await api.createSubscription({
      body: {
        channelID: Number(channelID),
        changes: changes as readonly LiveChangeName[] as LiveChangeName[],
        where,
        includesWords: includesWords === 'true',
      },
    });
    refresh([allSubscriptions.key]);
    showToast('The channel gets these changes from now on.');
    onClose();
  };
  return (
    <Dialog title="Add subscription" onClose={onClose}>
      <ApiForm submit="Add" onSend={add} onCancel={onClose}>
        <SelectField
          name="channelID"
          label="Channel"
          options={channels.map((channel) => ({ value: String(channel.key), label: channelText(channel) }))}
          value={String(channels[0]?.key ?? '')}
        />
        <Picked
          label="Changes"
          add="Add a change"
          options={liveChangeNames.map((name) => ({ value: name, label: textOfChange(name) }))}
          picked={changes}
          onChange={setChanges}
        />
        <Picked
          label="Devices"
          add="Add a device"
          none="every device"
          options={devices.map((device) => ({ value: String(device.key), label: nameOf(device) }))}
          picked={deviceIDs}
          onChange={setDevices}
        />
        {collections.length > 0 && (
          <Picked
            label="Collections"
            add="Add a collection"
            none="any or none"
            options={collections.map(({ key, collectionName = '' }) => ({ value: String(key), label: collectionName }))}
            picked={collectionIDs}
            onChange={setCollections}
          />
        )}
        <CheckField
          name="includesWords"
          label="With the words of transcripts"
          hint="Names and words leave Earshot only for devices that channels may name. Words that have left are beyond deletion."
        />
      </ApiForm>
    </Dialog>
  );
}

interface PickedProps {
  readonly label: string;
  readonly add: string;
  /** What it means that nothing is chosen. */
  readonly none?: string;
  readonly options: readonly PickOption[];
  readonly picked: readonly string[];
  readonly onChange: (picked: readonly string[]) => void;
}

/** A list of choices, each with a button that removes it. */
function Picked({ label, add, none, options, picked, onChange }: PickedProps) {
  const textOf = (value: string): string => options.find((option) => option.value === value)?.label ?? value;
  return (
    <div class="field">
      <span class="field-label">{label}</span>
      <div class="rule-chips">
        {picked.length === 0 && none !== undefined && <span class="rule-any">{none}</span>}
        {picked.length > 0 && (
          <ul class="chips" aria-label={label}>
            {picked.map((value) => (
              <li key={value}>
                <span class="chip">
                  <span class="chip-main">
                    <UserText text={textOf(value)} />
                  </span>
                  <button
                    type="button"
                    class="chip-end"
                    aria-label={`Remove ${textOf(value)}`}
                    onClick={() => onChange(picked.filter((each) => each !== value))}
                  >
                    <Icon name="close" />
                  </button>
                </span>
              </li>
            ))}
          </ul>
        )}
        <PickList
          label={add}
          text={`${add}…`}
          options={options.filter(({ value }) => !picked.includes(value))}
          onPick={(value) => onChange([...picked, value])}
        />
      </div>
    </div>
  );
}
