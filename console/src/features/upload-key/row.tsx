import type { UploadKey } from '@earshot/contract/upload-key';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Menu } from '../../lib/ui/menu.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { keyName } from './data.ts';
import type { KeyAction } from './dialogs.tsx';

interface UploadKeyRowProps {
  readonly uploadKey: UploadKey;
  readonly onAction: (action: KeyAction) => void;
}

export function UploadKeyRow({ uploadKey, onAction }: UploadKeyRowProps) {
  const { transcribe, status, lastAccessDate, creationDate } = uploadKey;
  const name = keyName(uploadKey);
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="upload" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={name} />
          </span>
          <span class="row-under">
            {lastAccessDate ? (
              <span>
                last used <Time date={lastAccessDate} />
              </span>
            ) : (
              <span>never used</span>
            )}
            {transcribe && <span>may ask for transcripts</span>}
            {creationDate && (
              <span>
                created <Time date={creationDate} />
              </span>
            )}
          </span>
        </span>
        {status === 0 && <Badge tone="warn">Owner disabled</Badge>}
      </div>
      <span class="row-actions">
        <Menu
          label={`More actions for ${name}`}
          items={[
            { label: 'Edit', icon: 'edit', onSelect: () => onAction('edit') },
            { label: 'Replace secret', icon: 'repeat', onSelect: () => onAction('replace') },
            { label: 'Delete', icon: 'trash', danger: true, onSelect: () => onAction('delete') },
          ]}
        />
      </span>
    </li>
  );
}
