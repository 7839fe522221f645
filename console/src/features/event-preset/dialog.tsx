import type { EventPreset } from '@earshot/contract/event-preset';
import { shortTextLength } from '@earshot/contract/values';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { SelectField, TextArea, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { eventTypes, readableName } from '../event/public.ts';

interface PresetDialogProps {
  /** The record to edit; without it a new one is created. */
  readonly preset?: EventPreset;
  readonly deviceID?: number;
  readonly onClose: () => void;
}

const ownerOf = (text: string): { deviceID: number } | { deviceGroupID: number } => {
  const [kind, key] = text.split(' ');
  return kind === 'group' ? { deviceGroupID: Number(key) } : { deviceID: Number(key) };
};

export function PresetDialog({ preset, deviceID, onClose }: PresetDialogProps) {
  const { data: types = [] } = useQuery(eventTypes);
  const type = types.find(({ key }) => key === preset?.eventTypeID)?.eventTypeName ?? types[0]?.eventTypeName ?? '';
  const save = async ({ owner = '', eventPresetName = '', eventType = '', eventParameters = '' }: Values) => {
    const body = { eventPresetName: eventPresetName || readableName(eventType), eventType, eventParameters };
    if (preset) await api.updateEventPreset({ params: { eventPresetID: preset.key ?? 0 }, body });
    else await api.createEventPreset({ body: { ...body, ...(deviceID ? { deviceID } : ownerOf(owner)) } });
    refresh(['presets']);
    showToast('Saved.');
    onClose();
  };
  return (
    <Dialog title={preset ? 'Edit preset' : 'Create preset'} onClose={onClose}>
      <ApiForm submit={preset ? 'Save' : 'Create'} onSend={save} onCancel={onClose}>
        <TextField
          name="eventPresetName"
          label="Name"
          value={preset?.eventPresetName ?? ''}
          hint="For example: Record at dawn"
          maxLength={shortTextLength}
          focused
          optional
        />
        {!preset && !deviceID && <OwnerField />}
        <SelectField
          name="eventType"
          label="Event type"
          value={type}
          options={types.map(({ eventTypeName = '', agentType = '' }) => ({
            value: eventTypeName,
            label: readableName(eventTypeName),
            group: agentType,
          }))}
        />
        <TextArea
          name="eventParameters"
          label="Parameters"
          hint="A JSON object that the agent receives."
          value={preset?.eventParameters ?? '{}'}
          code
          optional
        />
      </ApiForm>
    </Dialog>
  );
}

function OwnerField() {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const groups = collections.map(({ key, collectionName = '' }) => ({
    value: `group ${key}`,
    label: `All devices in ${collectionName}`,
    group: 'Collections',
  }));
  const single = devices.map((device) => ({ value: `device ${device.key}`, label: nameOf(device), group: 'Devices' }));
  const options = [...single, ...groups];
  return (
    <SelectField
      name="owner"
      label="Run on"
      options={options}
      hint="A preset for a collection runs on every device in it."
      {...(options[0] ? { value: options[0].value } : {})}
    />
  );
}
