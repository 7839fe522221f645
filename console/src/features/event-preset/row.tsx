import type { EventPreset } from '@earshot/contract/event-preset';
import { runEventPreset, updateEventPreset } from '@earshot/contract/event-preset';
import { isDeferred } from '../../lib/deferred.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { allCollections } from '../collection/public.ts';
import { eventTypes, maySend, parametersSummary, readableName } from '../event/public.ts';
import { may } from '../right/public.ts';
import { askToDeletePreset, sendPreset } from './data.ts';

interface PresetRowProps {
  readonly preset: EventPreset;
  readonly deviceID: number;
  readonly onChange: (preset: EventPreset) => void;
}

/** A preset on the page of a device. */
export function PresetRow({ preset, deviceID, onChange }: PresetRowProps) {
  const { data: types = [] } = useQuery(eventTypes);
  const type = readableName(types.find(({ key }) => key === preset.eventTypeID)?.eventTypeName);
  const name = preset.eventPresetName || type;
  const parameters = parametersSummary(preset.eventParameters ?? '');
  // The right to a preset is the one to its device or collection.
  const on =
    preset.deviceGroupID === undefined ? { deviceID: preset.deviceID } : { collectionID: preset.deviceGroupID };
  if (isDeferred(`preset ${preset.key}`)) return null;
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="preset" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={name} />
          </span>
          <span class="row-under">
            {type !== name && <span>{type}</span>}
            {parameters !== '' && <UserText text={parameters} />}
            {preset.deviceGroupID !== undefined && <Group collectionID={preset.deviceGroupID} />}
          </span>
        </span>
      </div>
      <span class="row-actions">
        <PresetActions
          preset={preset}
          name={name}
          deviceID={deviceID}
          mayRun={may(runEventPreset, on) && maySend(preset.eventTypeID, { deviceID }, runEventPreset)}
          mayChange={may(updateEventPreset, on)}
          onChange={onChange}
        />
      </span>
    </li>
  );
}

function Group({ collectionID }: { readonly collectionID: number }) {
  const { data: collections = [] } = useQuery(allCollections);
  const name = collections.find(({ key }) => key === collectionID)?.collectionName;
  return <UserText text={`All devices in ${name ?? `collection ${collectionID}`}`} />;
}

interface PresetActionsProps<Preset extends EventPreset> {
  readonly preset: Preset;
  readonly name: string;
  /** Runs on this device alone. */
  readonly deviceID?: number;
  readonly mayRun: boolean;
  readonly mayChange: boolean;
  readonly onChange: (preset: Preset) => void;
}

export function PresetActions<Preset extends EventPreset>(props: PresetActionsProps<Preset>) {
  const { preset, name, deviceID, mayRun, mayChange, onChange } = props;
  return (
    <>
      {mayRun && (
        <Button small icon="play" label={`Run ${name}`} onClick={() => void sendPreset(preset, name, deviceID)}>
          Run
        </Button>
      )}
      {mayChange && (
        <Menu
          label={`More actions for ${name}`}
          items={[
            { label: 'Edit', icon: 'settings', onSelect: () => onChange(preset) },
            { label: 'Delete', icon: 'trash', danger: true, onSelect: () => askToDeletePreset(preset, name) },
          ]}
        />
      )}
    </>
  );
}
