import type { Pool } from '../../platform/database/connect.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { EventTimes } from './take/lease-queries.ts';
import type { WaitingRoom } from './wait/waiting-room.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import type { Histogram } from '../../platform/http/door/metrics.ts';
import type { Wakeups } from './wait/wakeups.ts';

export interface EventParts {
  readonly db: Pool;
  readonly secretBox: SecretBox;
  readonly times: EventTimes;
  /** How long a long poll waits for an event. */
  readonly longPollSeconds: number;
  readonly room: WaitingRoom;
  readonly wakeups: Wakeups;
  /** From the creation of an event to the answer of the long poll that waited for it. */
  readonly wakeupTime: Histogram;
}

/** For functions that enqueue events with a postback. */
export interface CallingParts extends EventParts {
  readonly outbound: Pick<Outbound, 'checkText'>;
}
