import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
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
