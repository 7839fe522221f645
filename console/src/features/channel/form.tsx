import type { ChannelSettings } from '@earshot/contract/channel';
import type { ChannelField, ChannelKindName } from '@earshot/contract/channel-kinds';
import { channelKindNames, channelKinds } from '@earshot/contract/channel-kinds';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import type { ChannelDialogProps } from './dialogs.tsx';

const kindOptions = channelKindNames
  .filter((name) => !channelKinds[name].isOfBrowser)
  .map((name) => ({ value: name, label: channelKinds[name].label }));

const inputName = (field: ChannelField): string => `settings.${field.name}`;

/** What was entered, without empty fields and boxes that are not checked. */
const settingsIn = (kind: ChannelKindName, values: Values): ChannelSettings =>
  Object.fromEntries(
    channelKinds[kind].fields.flatMap((field): [string, string | true][] => {
      const entered = values[inputName(field)] ?? '';
      if (field.input === 'check') return entered === 'true' ? [[field.name, true]] : [];
      return entered === '' ? [] : [[field.name, entered]];
    }),
  );

interface FieldsProps extends Pick<ChannelDialogProps, 'channel'> {
  readonly kind: ChannelKindName;
}

/** The fields of a kind, from its declaration. A secret that is set is not shown, and stays if nothing is entered. */
function KindFields({ kind, channel: { settings, secretsSet } }: FieldsProps) {
  const { description, isUntried, fields } = channelKinds[kind];
  return (
    <>
      <p class="hint">
        {description}
        {isUntried && ' Made by the documentation of the service, and not tried against it: send a test.'}
      </p>
      {fields.map((field) => {
        const shown = settings?.[field.name];
        if (field.input === 'check')
          return (
            <CheckField
              key={`${kind} ${field.name}`}
              name={inputName(field)}
              label={field.label}
              hint={field.help}
              checked={shown === true}
            />
          );
        const isSet = secretsSet.includes(field.name);
        const Input = field.input === 'lines' ? TextArea : TextField;
        return (
          <Input
            key={`${kind} ${field.name}`}
            name={inputName(field)}
            label={field.label}
            hint={isSet ? `${field.help} It is set; leave this empty to keep it.` : field.help}
            value={field.isSecret || typeof shown !== 'string' ? '' : shown}
            maxLength={longTextLength}
            optional={!field.isRequired || isSet}
            code
          />
        );
      })}
    </>
  );
}

const NameField = ({ value = '' }: { readonly value?: string | undefined }) => (
  <TextField
    name="channelName"
    label="Name"
    hint="For example: Night shift"
    value={value}
    maxLength={shortTextLength}
    focused
  />
);

export function CreateDialog({ channel, onClose }: ChannelDialogProps) {
  const [kind, setKind] = useState<ChannelKindName>('webhook');
  const create = async (values: Values) => {
    const { channelName = '' } = values;
    await api.createChannel({ body: { channelName, kind, settings: settingsIn(kind, values) } });
    refresh(['channels']);
    showToast('The channel is added. Send a test to see whether it works.');
    onClose();
  };
  return (
    <Dialog title="Add channel" onClose={onClose}>
      <ApiForm submit="Add" onSend={create} onCancel={onClose}>
        <NameField />
        <SelectField
          name="kind"
          label="Kind"
          options={kindOptions}
          value={kind}
          onChange={(value) => setKind(value as ChannelKindName)}
        />
        <KindFields kind={kind} channel={channel} />
      </ApiForm>
    </Dialog>
  );
}

export function EditDialog({ channel, onClose }: ChannelDialogProps) {
  const { key: channelID = 0, kind = 'webhook', channelName, isEnabled = true, settings: before = {} } = channel;
  const save = async (values: Values) => {
    const entered = settingsIn(kind, values);
    const { fields, isOfBrowser = false } = channelKinds[kind];
    const changes = (isOfBrowser ? [] : fields).flatMap((field) => {
      const value = entered[field.name];
      // An empty secret stays; an address is shown without its query, so that one that was not touched stays too.
      if (value === (field.isSecret ? undefined : before[field.name])) return [];
      return [[field.name, value ?? null] as const];
    });
    await api.updateChannel({
      params: { channelID },
      body: {
        channelName: values['channelName'] ?? '',
        isEnabled: values['isEnabled'] === 'true',
        settings: Object.fromEntries(changes),
      },
    });
    refresh(['channels']);
    showToast('Saved.');
    onClose();
  };
  return (
    <Dialog title="Edit channel" onClose={onClose}>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        <NameField value={channelName} />
        <CheckField name="isEnabled" label="Switched on" checked={isEnabled} />
        {!channelKinds[kind].isOfBrowser && <KindFields kind={kind} channel={channel} />}
      </ApiForm>
    </Dialog>
  );
}
