import type { Session } from '@earshot/contract/session';
import { api } from '../../app/api.ts';
import { hold, isHeld } from '../../app/held.ts';
import { refresh } from '../../app/query.ts';
import { Badge, Given } from '../../ui/bits.tsx';
import { Button } from '../../ui/button.tsx';
import { Time } from '../../ui/time.tsx';

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
  if (isHeld(`session ${sessionID}`)) return null;
  const end = () =>
    hold(`session ${sessionID}`, 'The session is ended.', async () => {
      await api.endSession({ params: { sessionID } });
      refresh(['sessions']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">
            <Given text={browserName(userAgent)} />
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
