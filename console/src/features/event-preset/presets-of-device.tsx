import type { EventPreset } from '@earshot/contract/event-preset';
import { createEventPreset } from '@earshot/contract/event-preset';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { may } from '../right/public.ts';
import { PresetDialog } from './dialog.tsx';
import { PresetRow } from './row.tsx';
import { presetsOf } from './data.ts';

/** Presets of the device, and of the collections that contain it. */
export function PresetsOfDevice({ deviceID }: { readonly deviceID: number }) {
  const presets = useQuery(presetsOf(deviceID));
  const [making, setMaking] = useState(false);
  const [changing, setChanging] = useState<EventPreset | undefined>();
  const empty = (
    <Empty icon="preset" title="No presets for this device">
      Save an event that you send often as a preset, then run it here with one click.
    </Empty>
  );
  return (
    <Section
      title="Presets"
      action={
        may(createEventPreset, { deviceID }) && (
          <Button small icon="add" onClick={() => setMaking(true)}>
            Create preset
          </Button>
        )
      }
    >
      <WhenLoaded from={presets}>
        {(list) =>
          list.length === 0 ? (
            empty
          ) : (
            <ul class="rows">
              {list.map((preset) => (
                <PresetRow key={preset.key} preset={preset} deviceID={deviceID} onChange={setChanging} />
              ))}
            </ul>
          )
        }
      </WhenLoaded>
      {changing && <PresetDialog preset={changing} onClose={() => setChanging(undefined)} />}
      {making && <PresetDialog deviceID={deviceID} onClose={() => setMaking(false)} />}
    </Section>
  );
}
