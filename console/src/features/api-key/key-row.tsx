import type { APIKey } from '@earshot/contract/api-key';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';

export function KeyRow({ apiKey }: { readonly apiKey: APIKey }) {
  const { key: apiKeyID = 0, aPIKeyDescription, accessKey, status, lastAccessDate, creationDate } = apiKey;
  if (isDeferred(`apikey ${apiKeyID}`)) return null;
  const name = aPIKeyDescription || accessKey || '';
  const revoke = () =>
    deferAction(`apikey ${apiKeyID}`, `The key ${name} is revoked.`, async () => {
      await api.deleteApiKey({ params: { apiKeyID } });
      refresh(['keys', 'device keys']);
    });
  return (
    <li class="row">
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
        {status === 0 && <Badge tone="warn">Owner disabled</Badge>}
      </div>
      <span class="row-actions">
        <Button small kind="danger" label={`Revoke ${name}`} onClick={revoke}>
          Revoke
        </Button>
      </span>
    </li>
  );
}
