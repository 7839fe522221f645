import type { Db } from '../../../platform/database/connect.ts';
import type { Log } from '../../../platform/log.ts';
import { startLoop } from '../../../platform/loop.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import { createMessage } from './message.ts';
import type { PostbackAttempt, DuePostback, RunningAttempt } from './queries.ts';
import { claimPostbacks, releasePostback, setDelivered, setFailed, setRetry } from './queries.ts';
import { openSecrets } from '../enqueue/secrets.ts';
import { postbackPurpose } from '../../user/public.ts';

/*
 * Posts the outcomes of events from any node, each at least once.
 *
 *   waiting ──claimed, attempted──┬─ 2xx ────────────────────────────► delivered
 *      ▲                          ├─ 410, or forbidden IP address ───► failed
 *      └── after a growing delay ─┴─ anything else; after a day ─────► failed
 *
 * A claim is a lease: it sets the next attempt to a time after the longest possible attempt. If a node stops during an
 * attempt, the row stays waiting, and another node makes the next attempt. All times are the database's.
 */

const checkIntervalMs = 1_000;
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

/** Delivers on this node until the returned function is called, which releases the claimed postbacks. */
export function startDelivery(parts: DeliveryParts): () => Promise<void> {
  const { db, log } = parts;
  const stopping = new AbortController();
  const running = new Map<Promise<void>, RunningAttempt>();

  /** Uses the free places. A slow host, or the slow hosts of one owner, can occupy only some of them. */
  async function fill(): Promise<void> {
    const free = mostAtOnce - running.size;
    if (free === 0 || stopping.signal.aborted) return;
    const places = { free, ...shares, running: [...running.values()] };
    for (const postback of await claimPostbacks(db, places, leaseSeconds)) {
      const attempt = attemptOne(parts, postback, stopping.signal)
        .catch((error: unknown) => log.warn({ error, postback: postback.key }, 'attempting a postback failed'))
        .finally(() => running.delete(attempt));
      running.set(attempt, postback);
    }
  }

  const stopLoop = startLoop('postbacks', checkIntervalMs, fill, log);
  return async () => {
    stopping.abort();
    await stopLoop();
    await Promise.all(running.keys());
  };
}

async function attemptOne(parts: DeliveryParts, postback: DuePostback, signal: AbortSignal): Promise<void> {
  const { db, log, retrySeconds } = parts;
  const { key, attempts, event } = postback;
  try {
    const status = await post(parts, postback, signal);
    const attempt: PostbackAttempt = { key, attempts, status, error: null };
    if (status >= 200 && status < 300) await setDelivered(db, attempt);
    else if (status === gone)
      await setFailed(db, { ...attempt, error: 'the receiver responded with status 410 (gone)' });
    else
      await setRetry(
        db,
        { ...attempt, error: `the receiver responded with status ${status}` },
        { ...retries, firstSeconds: retrySeconds },
      );
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    const attempt: PostbackAttempt = { key, attempts, status: null, error: error.reason };
    if (error.fault === 'stopped') return releasePostback(db, key, attempts);
    log.info({ postback: key, eventID: event.key, attempts, reason: error.reason }, 'a postback was not delivered');
    // A name that is internal is retried like one that does not exist: a difference would tell callers which it is.
    if (error.fault === 'forbidden') await setFailed(db, attempt);
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
  const secrets = sealedSecrets ? openSecrets(secretBox, event.key, sealedSecrets) : {};
  const { status } = await outbound.send(secrets.postbackURL ?? postbackURL, {
    method: 'POST',
    headers,
    body,
    signal,
    ...limits,
  });
  return status;
}
