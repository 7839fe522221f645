import type { EventPreset } from '@earshot/contract/event-preset';
import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Loaded } from '../../lib/query.ts';
import { PresetDialog } from './dialog.tsx';
import { PresetRow } from './row.tsx';

interface PresetListProps {
  readonly presets: Loaded<readonly EventPreset[]>;
  readonly empty: ComponentChildren;
  readonly deviceID?: number;
}

export function PresetList({ presets, empty, deviceID }: PresetListProps) {
  const [changing, setChanging] = useState<EventPreset | undefined>();
  const on = deviceID === undefined ? {} : { deviceID };
  return (
    <>
      <WhenLoaded from={presets}>
        {(list) =>
          list.length === 0 ? (
            empty
          ) : (
            <ul class="rows">
              {list.map((preset) => (
                <PresetRow key={preset.key} preset={preset} onChange={setChanging} {...on} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {changing && <PresetDialog preset={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}
