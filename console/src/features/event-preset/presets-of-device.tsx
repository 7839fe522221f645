import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { mayWrite } from '../right/public.ts';
import { PresetDialog } from './dialog.tsx';
import { PresetList } from './list.tsx';
import { presetsOf } from './data.ts';

/** Presets of the device, and of the collections that contain it. */
export function PresetsOfDevice({ deviceID }: { readonly deviceID: number }) {
  const presets = useQuery(presetsOf(deviceID));
  const [making, setMaking] = useState(false);
  const empty = (
    <Empty icon="preset" title="No presets for this device">
      Save an event that you send often as a preset, then run it here with one click.
    </Empty>
  );
  return (
    <Section
      title="Presets"
      action={
        mayWrite(deviceID) && (
          <Button small icon="add" onClick={() => setMaking(true)}>
            Create preset
          </Button>
        )
      }
    >
      <PresetList presets={presets} empty={empty} deviceID={deviceID} />
      {making && <PresetDialog deviceID={deviceID} onClose={() => setMaking(false)} />}
    </Section>
  );
}
