import type { APIKey } from '@earshot/contract/api-key';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';

interface KeyRowProps {
  readonly apiKey: APIKey;
  readonly isWriteOnly: boolean;
}

/** Takes a key away, after some seconds for “Undo”. */
export function RevokeButton({ apiKeyID, name }: { readonly apiKeyID: number; readonly name: string }) {
  const revoke = () =>
    deferAction(`apikey ${apiKeyID}`, `The key ${name} is revoked.`, async () => {
      await api.deleteApiKey({ params: { apiKeyID } });
      refresh(['keys', 'device keys']);
    });
  return (
    <Button small kind="danger" label={`Revoke ${name}`} onClick={revoke}>
      Revoke
    </Button>
  );
}

/** A key of a device. */

export function KeyRow({ apiKey, isWriteOnly }: KeyRowProps) {
  const { key: apiKeyID = 0, aPIKeyDescription, accessKey, status, lastAccessDate, creationDate } = apiKey;
  if (isDeferred(`apikey ${apiKeyID}`)) return null;
  const name = aPIKeyDescription || accessKey || '';
  const looksWriteOnly = isWriteOnly || isDeferred(`write-only ${apiKeyID}`);
  const restrict = () =>
    deferAction(`write-only ${apiKeyID}`, `The key ${name} is write-only. It cannot be changed back.`, async () => {
      await api.makeKeyWriteOnly({ params: { apiKeyID } });
      refresh(['device keys']);
    });
  return (
    <li class="row actions-below">
      <div class="row-body">
        <span class="row-icon">
          <Icon name="key" />
        </span>
        <span class="row-main">
          <span class="row-title">
            <UserText text={aPIKeyDescription || 'No description'} />
          </span>
          <span class="row-under">
            <code>{accessKey}</code>
            {lastAccessDate ? (
              <span>
                last used <Time date={lastAccessDate} />
              </span>
            ) : (
              <span>never used</span>
            )}
            {creationDate && (
              <span>
                created <Time date={creationDate} />
              </span>
            )}
          </span>
        </span>
        {looksWriteOnly ? <Badge tone="good">Write-only</Badge> : <Badge tone="warn">Can read</Badge>}
        {status === 0 && <Badge tone="warn">Owner disabled</Badge>}
      </div>
      <span class="row-actions">
        {!looksWriteOnly && (
          <Button small label={`Make write-only: ${name}`} onClick={restrict}>
            Make write-only
          </Button>
        )}
        <RevokeButton apiKeyID={apiKeyID} name={name} />
      </span>
    </li>
  );
}
