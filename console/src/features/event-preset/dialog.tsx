import type { EventPreset } from '@earshot/contract/event-preset';
import { createEventPreset } from '@earshot/contract/event-preset';
import { shortTextLength } from '@earshot/contract/values';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { SelectField, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import type { EventDraft } from '../event/public.ts';
import { draftOf, eventTypes, newEvent, readableName, writtenEvent } from '../event/public.ts';
import { EventFields } from '../event/public.tsx';
import { may } from '../right/public.ts';

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
  const [changed, setDraft] = useState<EventDraft>();
  const saved = preset && types.find(({ key }) => key === preset.eventTypeID)?.eventTypeName;
  const draft = changed ?? (saved ? draftOf(saved, preset?.eventParameters ?? '{}') : newEvent);
  const save = async ({ owner = '', eventPresetName = '' }: Values) => {
    const event = writtenEvent(draft);
    const body = { eventPresetName: eventPresetName || readableName(event.eventType), ...event };
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
        <EventFields draft={draft} onChange={setDraft} />
      </ApiForm>
    </Dialog>
  );
}

/** The devices and collections for which the person may make presets. */
export function usePresetOwners() {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const groups = collections
    .filter(({ key }) => may(createEventPreset, { collectionID: key }))
    .map(({ key, collectionName = '' }) => ({
      value: `group ${key}`,
      label: `All devices in ${collectionName}`,
      group: 'Collections',
    }));
  const single = devices
    .filter(({ key }) => may(createEventPreset, { deviceID: key }))
    .map((device) => ({ value: `device ${device.key}`, label: nameOf(device), group: 'Devices' }));
  return [...single, ...groups];
}

function OwnerField() {
  const options = usePresetOwners();
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
