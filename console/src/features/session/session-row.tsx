import type { Session } from '@earshot/contract/session';
import { api } from '../../lib/api.ts';
import { deferAction, isDeferred } from '../../lib/deferred.ts';
import { refresh } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';

const browsers = ['Edg', 'OPR', 'Firefox', 'Chrome', 'Safari'] as const;
const systems = ['Android', 'iPhone', 'iPad', 'Windows', 'Mac OS X', 'Linux'] as const;
const spoken: Readonly<Record<string, string>> = { Edg: 'Edge', OPR: 'Opera', 'Mac OS X': 'macOS' };

/** Browser and system of a user agent, or the user agent itself if unknown. */
function browserName(userAgent: string): string {
  const browser = browsers.find((name) => userAgent.includes(`${name}/`));
  const system = systems.find((name) => userAgent.includes(name));
  if (!browser) return userAgent || 'Unknown client';
  return `${spoken[browser] ?? browser}${system ? ` on ${spoken[system] ?? system}` : ''}`;
}

export function SessionRow({ session }: { readonly session: Session }) {
  const { key: sessionID = 0, userAgent = '', address, current, lastAccessDate } = session;
  if (isDeferred(`session ${sessionID}`)) return null;
  const end = () =>
    deferAction(`session ${sessionID}`, 'The session is ended.', async () => {
      await api.endSession({ params: { sessionID } });
      refresh(['sessions']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">
            <UserText text={browserName(userAgent)} />
          </span>
          <span class="row-under">
            {address && <span>{address}</span>}
            {lastAccessDate && (
              <span>
                last active <Time date={lastAccessDate} />
              </span>
            )}
          </span>
        </span>
        {current && <Badge tone="good">This session</Badge>}
      </div>
      {!current && (
        <span class="row-actions">
          <Button small kind="danger" label={`End the session in ${browserName(userAgent)}`} onClick={end}>
            End
          </Button>
        </span>
      )}
    </li>
  );
}
