import { useEffect } from 'preact/hooks';
import { LinkButton } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { PageHead, UserText } from '../../lib/ui/elements.tsx';
import { VirtualRows } from '../../lib/ui/virtual-rows.tsx';
import { isTouchScreen } from '../../lib/ui/touch-screen.ts';
import { FilePicker } from './file-picker.tsx';
import { FileRow } from './file-row.tsx';
import { leftOut, uploadItems } from './state.ts';
import { MissingFiles } from './missing-files.tsx';
import { restoreUploads } from './queue.ts';
import { UploadBar } from './upload-bar.tsx';
import { UploadSettings } from './upload-settings.tsx';

export function UploadPage() {
  useEffect(() => void restoreUploads(), []);
  const items = uploadItems.value;
  return (
    <>
      <PageHead
        title="Add recordings"
        under={
          isTouchScreen()
            ? 'Choose recordings that are stored on this device.'
            : 'Drop files or whole folders anywhere in this window, or choose them.'
        }
        actions={
          <>
            <LinkButton icon="microphone" href="/record">
              Record
            </LinkButton>
            <LinkButton icon="device" href="/connect">
              Connect a recorder
            </LinkButton>
          </>
        }
      />
      <UploadSettings items={items} />
      <FilePicker />
      <MissingFiles items={items} />
      <LeftOut />
      {items.length > 0 && (
        <>
          <div class="card">
            <VirtualRows
              label="Files"
              items={items}
              keyOf={({ id }) => id}
              row={(item) => <FileRow key={item.id} item={item} />}
              onReach={ignoreReach}
            />
          </div>
          <UploadBar items={items} />
        </>
      )}
    </>
  );
}

/** Files of a card that are no recordings, by name. */
function LeftOut() {
  const names = leftOut.value;
  if (names.length === 0) return null;
  return (
    <details class="left-out">
      <summary>{countText(names.length, 'file')} left out: not sound</summary>
      <ul>
        {names.map((name) => (
          <li key={name}>
            <UserText text={name} />
          </li>
        ))}
      </ul>
    </details>
  );
}

/** All items are in the list from the start. */
const ignoreReach = (): void => {};
