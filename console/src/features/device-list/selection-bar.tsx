import type { DeviceRow } from '@earshot/contract/device-page';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { BulkDialog } from '../../lib/bulk/bulk-dialog.tsx';
import { noSelection, selectAll } from '../../lib/table/selection.ts';
import type { RowsFeed } from '../../lib/table/rows-feed.ts';
import type { UsedTable } from '../../lib/table/use-table.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { CollectItemsDialog } from '../collection/public.tsx';
import { SendEventDialog } from '../event/public.tsx';

interface SelectionBarProps {
  readonly rows: readonly DeviceRow[];
  readonly table: UsedTable<DeviceRow>;
  readonly feed: RowsFeed<DeviceRow>;
}

/** So many can be selected. */
const mostSelected = 10_000;

/** Actions for the selected devices, each offered for those for which the person has the right. */
export function DeviceSelectionBar({ rows, table, feed }: SelectionBarProps) {
  const [open, setOpen] = useState<'collect' | 'send' | 'delete' | undefined>();
  const close = () => setOpen(undefined);
  const clear = () => table.onSelect(noSelection);
  const writable = rows.filter(({ mayWrite }) => mayWrite);
  const owned = rows.filter(({ mayOwn }) => mayOwn);
  const selectEvery = async () => {
    await feed.reach(mostSelected);
    table.onSelect(selectAll(feed.rows.slice(0, mostSelected).map(({ key }) => key)));
  };
  return (
    <div class="sticky-bar selection-bar" role="region" aria-label="Selected devices">
      <p role="status">
        {countText(rows.length, 'device')} selected
        {writable.length < rows.length && `, ${writable.length.toLocaleString('en')} that you may change`}
      </p>
      <span class="selection-close">
        <Button small kind="quiet" icon="close" label="Clear selection" onClick={clear} />
      </span>
      <div class="selection-actions">
        {rows.length < feed.total && (
          <Button small onClick={() => void selectEvery()}>
            {`Select all ${Math.min(feed.total, mostSelected).toLocaleString('en')}`}
          </Button>
        )}
        <Button small icon="collection" onClick={() => setOpen('collect')}>
          Add to collection
        </Button>
        {writable.length > 0 && (
          <Button small icon="event" onClick={() => setOpen('send')}>
            Send an event
          </Button>
        )}
        {owned.length > 0 && (
          <Button small kind="danger" icon="trash" onClick={() => setOpen('delete')}>
            Delete
          </Button>
        )}
      </div>
      {open === 'collect' && (
        <CollectItemsDialog
          itemType="device"
          items={rows.map(({ key, deviceName }) => ({ itemID: key, name: deviceName }))}
          onClose={close}
        />
      )}
      {open === 'send' && <SendEventDialog deviceIDs={writable.map(({ key }) => key)} onClose={close} />}
      {open === 'delete' && (
        <BulkDialog
          title={`Delete ${countText(owned.length, 'device')}?`}
          text="Their clips, captions, events and files are removed with them. This cannot be undone."
          act="Delete"
          isDangerous
          keys={owned.map(({ key }) => key)}
          start={(deviceIDs, headers) =>
            api.startDeviceBulk({ headers, body: { action: 'delete', deviceIDs: [...deviceIDs] } })
          }
          onClose={close}
          onDone={(done) => {
            feed.drop(done);
            clear();
          }}
        />
      )}
    </div>
  );
}
