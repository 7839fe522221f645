import { useState } from 'preact/hooks';
import { useQuery } from '../../app/query.ts';
import { Empty, PageHead } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { allPresets } from './data.ts';
import { PresetDialog } from './dialog.tsx';
import { PresetList } from './list.tsx';

export function PresetsPage() {
  const presets = useQuery(allPresets);
  const [making, setMaking] = useState(false);
  const empty = (
    <Empty icon="preset" title="No presets yet">
      A preset is a saved event that you send often, to one device or to every device in a collection.
    </Empty>
  );
  return (
    <>
      <PageHead
        title="Presets"
        actions={
          <Button kind="primary" icon="add" onClick={() => setMaking(true)}>
            Create preset
          </Button>
        }
      />
      <div class="card">
        <PresetList presets={presets} empty={empty} />
      </div>
      {making && <PresetDialog onClose={() => setMaking(false)} />}
    </>
  );
}
