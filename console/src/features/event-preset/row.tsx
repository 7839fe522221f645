import type { EventPreset } from '@earshot/contract/event-preset';
import { isDeferred } from '../../lib/deferred.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { allCollections } from '../collection/public.ts';
import { allDevices, nameOf } from '../device/public.ts';
import { eventTypes, parametersSummary, readableName } from '../event/public.ts';
import { mayChangeCollection, mayWrite } from '../right/public.ts';
import { askToDeletePreset, sendPreset } from './data.ts';

interface PresetRowProps {
  readonly preset: EventPreset;
  /** Set on the page of a device. */
  readonly deviceID?: number;
  readonly onChange: (preset: EventPreset) => void;
}

export function PresetRow({ preset, deviceID, onChange }: PresetRowProps) {
  const { data: types = [] } = useQuery(eventTypes);
  const type = readableName(types.find(({ key }) => key === preset.eventTypeID)?.eventTypeName);
  const name = preset.eventPresetName || type;
  const parameters = parametersSummary(preset.eventParameters ?? '');
  // The right to a preset is the one to its device or collection.
  const isMine =
    preset.deviceGroupID === undefined ? mayWrite(preset.deviceID) : mayChangeCollection(preset.deviceGroupID);
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
            <Owner preset={preset} onPage={deviceID} />
          </span>
        </span>
      </div>
      <span class="row-actions">
        {(deviceID === undefined ? isMine : mayWrite(deviceID)) && (
          <Button small icon="play" label={`Run ${name}`} onClick={() => void sendPreset(preset, name, deviceID)}>
            Run
          </Button>
        )}
        {isMine && (
          <Menu
            label={`More actions for ${name}`}
            items={[
              { label: 'Edit', icon: 'settings', onSelect: () => onChange(preset) },
              { label: 'Delete', icon: 'trash', danger: true, onSelect: () => askToDeletePreset(preset, name) },
            ]}
          />
        )}
      </span>
    </li>
  );
}

function Owner({ preset, onPage }: { readonly preset: EventPreset; readonly onPage: number | undefined }) {
  const { data: devices = [] } = useQuery(allDevices);
  const { data: collections = [] } = useQuery(allCollections);
  const group = collections.find(({ key }) => key === preset.deviceGroupID);
  if (preset.deviceGroupID !== undefined) {
    return <UserText text={`All devices in ${group?.collectionName ?? `collection ${preset.deviceGroupID}`}`} />;
  }
  if (preset.deviceID === onPage) return null;
  const device = devices.find(({ key }) => key === preset.deviceID);
  return <UserText text={device ? nameOf(device) : `Device ${preset.deviceID}`} />;
}
