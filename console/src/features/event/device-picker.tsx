import type { Device } from '@earshot/contract/device';
import { itemTypes } from '@earshot/contract/collection-item';
import { useId, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { FilterSelect } from '../../lib/ui/filter.tsx';
import { allCollections } from '../collection/public.ts';
import { nameOf } from '../device/public.ts';

interface DevicePickerProps {
  readonly devices: readonly Device[];
  readonly chosen: ReadonlySet<number>;
  readonly onChange: (chosen: ReadonlySet<number>) => void;
}

const mostShown = 100;
const deviceItem = itemTypes.indexOf('device') + 1;

/** Devices whose name, serial or description contains the text. */
function devicesWith(devices: readonly Device[], text: string): readonly Device[] {
  const wanted = text.trim().toLowerCase();
  if (wanted === '') return devices;
  return devices.filter(({ deviceName, deviceSerial, deviceDescription }) =>
    [deviceName, deviceSerial, deviceDescription].some((part) => part?.toLowerCase().includes(wanted)),
  );
}

/** Several devices, chosen one by one, by a search, or by a collection. None is chosen at first. */
export function DevicePicker({ devices, chosen, onChange }: DevicePickerProps) {
  const [text, setText] = useState('');
  const id = useId();
  const found = devicesWith(devices, text);
  const add = (keys: readonly number[]) => onChange(new Set([...chosen, ...keys]));
  const toggle = (key: number) => {
    const next = new Set(chosen);
    if (!next.delete(key)) next.add(key);
    onChange(next);
  };
  return (
    <fieldset class="device-picker">
      <legend>Devices</legend>
      <div class="picker-tools">
        <input
          class="input"
          id={id}
          type="search"
          placeholder="Find devices"
          aria-label="Find devices"
          autoComplete="off"
          dir="auto"
          value={text}
          onInput={({ currentTarget }) => setText(currentTarget.value)}
          onKeyDown={(event) => event.key === 'Enter' && event.preventDefault()}
        />
        <CollectionChoice known={new Set(devices.map(({ key = 0 }) => key))} onChoose={add} />
      </div>
      <ul class="picker-list" aria-label="Devices to choose from">
        {found.slice(0, mostShown).map((device) => (
          <li key={device.key}>
            <label>
              <input type="checkbox" checked={chosen.has(device.key ?? 0)} onChange={() => toggle(device.key ?? 0)} />
              <UserText text={nameOf(device)} />
              {!device.online && <span class="quiet">offline</span>}
            </label>
          </li>
        ))}
        {found.length === 0 && <li class="quiet">No device matches.</li>}
        {found.length > mostShown && (
          <li class="quiet">and {(found.length - mostShown).toLocaleString('en')} more: enter part of a name</li>
        )}
      </ul>
      <div class="picker-end">
        <span role="status">
          {chosen.size === 0 ? 'No device chosen' : `${countText(chosen.size, 'device')} chosen`}
        </span>
        <span class="buttons">
          {found.length > 0 && (
            <Button small kind="quiet" onClick={() => add(found.map(({ key = 0 }) => key))}>
              {`Choose all ${found.length.toLocaleString('en')}`}
            </Button>
          )}
          {chosen.size > 0 && (
            <Button small kind="quiet" onClick={() => onChange(new Set())}>
              Choose none
            </Button>
          )}
        </span>
      </div>
    </fieldset>
  );
}

interface CollectionChoiceProps {
  /** Devices that may be chosen. */
  readonly known: ReadonlySet<number>;
  readonly onChoose: (deviceIDs: readonly number[]) => void;
}

function CollectionChoice({ known, onChoose }: CollectionChoiceProps) {
  const { data: collections = [] } = useQuery(allCollections);
  if (collections.length === 0) return null;
  const choose = (key: string) =>
    attempt(async () => {
      if (key === '') return;
      const items = await api.listItemsOfCollection({ params: { collectionID: Number(key) } });
      const devices = items.filter(({ itemTypeID, itemID = 0 }) => itemTypeID === deviceItem && known.has(itemID));
      onChoose(devices.map(({ itemID = 0 }) => itemID));
    });
  return (
    <FilterSelect
      bare
      label="Add the devices of a collection"
      value=""
      options={[
        { value: '', label: 'Add a collection…' },
        ...collections.map(({ key, collectionName = '' }) => ({ value: String(key), label: collectionName })),
      ]}
      onChange={(key) => void choose(key)}
    />
  );
}
