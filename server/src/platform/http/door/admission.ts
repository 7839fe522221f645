import type { Operation } from '@earshot/contract/operation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { Refusal } from '../../../errors.ts';
import type { Metrics } from './metrics.ts';

/**
 * After an outage thousands of devices come back at the same moment. A node works on so many of their requests at once;
 * the others are turned away at the door, before any work, with different times to come again. So the first are answered
 * while the rest waits, and people at the console, whose requests are not counted, are not behind them.
 */
export interface Admission {
  /** Throws a 503 if the node has enough to do. Returns what must be called when the request has its answer. */
  enter(): () => void;
  readonly atWork: number;
}

const mostAtWork = 400;
const windowMs = 10_000;
const longestSeconds = 600;
/** Nobody is told to come back within the same second. */
const leastSeconds = 2;

/** Requests of devices, except those that wait for something, as for an event, or carry sound. */
const isCounted = ({ access, path, bytes, media }: Operation): boolean =>
  access === 'agent' && !path.endsWith('/longpoll') && bytes === undefined && !media.includes('text/event-stream');

/** Lets a request of a device in, until its connection has the answer or is closed. A web session is a person. */
export function admitDevice(
  admission: Admission,
  operation: Operation,
  { headers }: FastifyRequest,
  { raw }: FastifyReply,
): void {
  if (isCounted(operation) && headers.cookie === undefined) raw.once('close', admission.enter());
}

/** The admission of a node, with its metrics. */
export function openAdmission(metrics: Metrics): Admission {
  const turnedAway = metrics.addCounter(
    'earshot_device_requests_turned_away_total',
    'Requests of devices that this node has told to come later, because it had enough to do.',
  );
  const admission = createAdmission({ onTurnedAway: () => turnedAway.add(1) });
  metrics.addGauge(
    'earshot_device_requests',
    'Requests of devices that this node works on now.',
    () => admission.atWork,
  );
  return admission;
}

export function createAdmission({
  most = mostAtWork,
  nowMs = () => performance.now(),
  random = Math.random,
  onTurnedAway = () => {},
} = {}): Admission {
  let atWork = 0;
  /** The counts of this window and of the one before. */
  let since = nowMs();
  let [served, refused, formerServed, formerRefused] = [0, 0, 0, 0];

  const turnWindow = (): void => {
    const now = nowMs();
    if (now - since < windowMs) return;
    const isLong = now - since >= 2 * windowMs;
    [formerServed, formerRefused] = isLong ? [0, 0] : [served, refused];
    [served, refused, since] = [0, 0, now];
  };
  /** The time in which the node answers all that it has turned away lately. */
  const retrySeconds = (): number => {
    const seconds = (windowMs + nowMs() - since) / 1_000;
    const perSecond = Math.max(1, (served + formerServed) / seconds);
    const needed = Math.min(longestSeconds, Math.max(leastSeconds, (refused + formerRefused) / perSecond));
    return 1 + Math.floor(random() * needed);
  };

  return {
    enter() {
      turnWindow();
      if (atWork >= most) {
        refused += 1;
        onTurnedAway();
        const detail = 'Too many devices send requests at the same time; come again after the time in Retry-After.';
        throw new Refusal('unavailable', detail, { headers: { 'retry-after': String(retrySeconds()) } });
      }
      atWork += 1;
      let isOver = false;
      return () => {
        if (isOver) return;
        isOver = true;
        atWork -= 1;
        served += 1;
      };
    },
    get atWork() {
      return atWork;
    },
  };
}
