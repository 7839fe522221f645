import type { Db } from '../../platform/database/connect.ts';
import type { Log } from '../../platform/log.ts';
import { startLoop } from '../../platform/loop.ts';
import type { Outbound } from '../../platform/outbound/outbound.ts';
import { OutboundError } from '../../platform/outbound/outbound-error.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { openSecrets } from '../event/rules.ts';
import { postbackPurpose } from '../session/rules.ts';
import { createMessage } from './message.ts';
import type { Attempt, DuePostback, TakenPlace } from './queries.ts';
import { claimPostbacks, releasePostback, setDelivered, setFailed, setRetry } from './queries.ts';

/*
 * Posts the outcomes of events, at least once each, from any node.
 *
 *   waiting ──claimed, attempted──┬─ 2xx ────────────────────────────► delivered
 *      ▲                          ├─ 410, or may not be called ──────► failed
 *      └── after a growing wait ──┴─ anything else; after a day ─────► failed
 *
 * A claim is a lease: it moves the next attempt beyond the longest an attempt can take. A node that dies with it leaves
 * the row waiting, and another makes the next attempt. All times are the database's.
 */

const lookMs = 1_000;
const mostAtOnce = 20;
const shares = { perOwner: 5, perHost: 10, perOwnerAndHost: 3 };
const attemptWithinMs = 15_000;
const leaseSeconds = 60;
const mostAnswerBytes = 65_536;
const retries = { longestSeconds: 2 * 3_600, withinSeconds: 24 * 3_600 };
const gone = 410;

export interface DeliveryParts {
  readonly db: Db;
  readonly outbound: Outbound;
  readonly secretBox: SecretBox;
  readonly log: Log;
  readonly retrySeconds: number;
}

/** Delivers on this node until the function it returns is called, which gives back what is under way. */
export function startDelivery(parts: DeliveryParts): () => Promise<void> {
  const { db, log } = parts;
  const stopping = new AbortController();
  const underWay = new Map<Promise<void>, TakenPlace>();

  /** Fills the free places. A slow host, and the slow hosts of one owner, hold up only some of them. */
  async function fill(): Promise<void> {
    const free = mostAtOnce - underWay.size;
    if (free === 0 || stopping.signal.aborted) return;
    const places = { free, ...shares, taken: [...underWay.values()] };
    for (const postback of await claimPostbacks(db, places, leaseSeconds)) {
      const attempt = attemptOne(parts, postback, stopping.signal)
        .catch((error: unknown) => log.warn({ error, postback: postback.key }, 'a postback was not attempted'))
        .finally(() => underWay.delete(attempt));
      underWay.set(attempt, postback);
    }
  }

  const stopLoop = startLoop('postbacks', lookMs, fill, log);
  return async () => {
    stopping.abort();
    await stopLoop();
    await Promise.all(underWay.keys());
  };
}

async function attemptOne(parts: DeliveryParts, postback: DuePostback, signal: AbortSignal): Promise<void> {
  const { db, retrySeconds } = parts;
  const { key, attempts } = postback;
  try {
    const status = await post(parts, postback, signal);
    const attempt: Attempt = { key, attempts, status, error: null };
    if (status >= 200 && status < 300) await setDelivered(db, attempt);
    else if (status === gone) await setFailed(db, { ...attempt, error: 'the receiver wants no more of these' });
    else
      await setRetry(
        db,
        { ...attempt, error: `the receiver answered ${status}` },
        { ...retries, firstSeconds: retrySeconds },
      );
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const attempt: Attempt = { key, attempts, status: null, error: error.message };
    if (error.fault === 'stopped') await releasePostback(db, key, attempts);
    // Looking up again and again where a name leads would only help whoever is feeling out our network.
    else if (error.fault === 'forbidden') await setFailed(db, attempt);
    else await setRetry(db, attempt, { ...retries, firstSeconds: retrySeconds });
  }
}

async function post(
  { outbound, secretBox }: DeliveryParts,
  postback: DuePostback,
  signal: AbortSignal,
): Promise<number> {
  const secret = secretBox.open(postback.sealedSecret, postbackPurpose);
  const { body, headers } = createMessage(postback, secret);
  const limits = { timeoutMs: attemptWithinMs, maxAnswerBytes: mostAnswerBytes };
  const { postbackURL, sealedSecrets, event } = postback;
  const secrets = sealedSecrets ? openSecrets(secretBox, event.key ?? 0, sealedSecrets) : {};
  const { status } = await outbound.send(secrets.postbackURL ?? postbackURL, {
    method: 'POST',
    headers,
    body,
    signal,
    ...limits,
  });
  return status;
}
