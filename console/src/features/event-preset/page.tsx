import type { ListedPreset } from '@earshot/contract/event-preset-page';
import { presetSorts } from '@earshot/contract/event-preset-page';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { isDeferred } from '../../lib/deferred.ts';
import { TableView } from '../../lib/table/table-view.tsx';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Empty, PageHead } from '../../lib/ui/elements.tsx';
import { nameOfPreset, presetColumns, PresetLines } from './columns.tsx';
import { PresetDialog, usePresetOwners } from './dialog.tsx';
import { PresetActions } from './row.tsx';

export function PresetsPage() {
  const [making, setMaking] = useState(false);
  const [changing, setChanging] = useState<ListedPreset | undefined>();
  const mayMake = usePresetOwners().length > 0;
  return (
    <>
      <PageHead
        title="Presets"
        actions={
          mayMake && (
            <Button kind="primary" icon="add" onClick={() => setMaking(true)}>
              Create preset
            </Button>
          )
        }
      />
      <TableView
        name="presets"
        label="Presets"
        columns={presetColumns}
        sorts={presetSorts}
        search="Search by name, type, device or collection"
        load={(request) => api.listPresetPage({ body: request })}
        kinds={['device', 'collection']}
        reloadedWith="presets"
        nameOf={nameOfPreset}
        isGone={({ key }) => isDeferred(`preset ${key}`)}
        actions={{
          widthRem: 7,
          cell: (row) => (
            <PresetActions
              preset={row}
              name={nameOfPreset(row)}
              mayRun={row.mayRun && row.eventTypeID !== undefined && (row.deviceID ?? row.deviceGroupID) !== undefined}
              mayChange={row.mayWrite}
              onChange={setChanging}
            />
          ),
        }}
        lines={(row) => <PresetLines row={row} />}
        countText={(count) => countText(count, 'preset')}
        empty={(isFiltered) =>
          isFiltered ? (
            <Empty icon="search" title="No matching presets" />
          ) : (
            <Empty icon="preset" title="No presets yet">
              A preset is a saved event that you send often, to one device or to every device in a collection.
            </Empty>
          )
        }
      />
      {making && <PresetDialog onClose={() => setMaking(false)} />}
      {changing && <PresetDialog preset={changing} onClose={() => setChanging(undefined)} />}
    </>
  );
}
