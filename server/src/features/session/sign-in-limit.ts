import { createHash } from 'node:crypto';
import { Refusal } from '../../errors.ts';
import type { Db, Pool } from '../../platform/database/connect.ts';
import { inTransaction } from '../../platform/database/connect.ts';
import {
  countAccountFailure,
  findAccountFailures,
  forgetFailures,
  lockCounters,
  storeCounters,
  withdrawAttempt,
} from './limit-queries.ts';
import { networkOf } from '../../platform/http/door/client-network.ts';

/*
 * Failed sign-ins are counted by their source, so that they delay only the caller that fails:
 *
 *   known browser    has the cookie of an earlier sign-in of this person: counted by that cookie only
 *   known address    this person signed in from it before: counted by person and address together
 *   stranger         counted by person and address together, by address, and by account
 *   session          changes the password in a web session: counted by that session only
 *
 * Some failures are free; each further failure doubles the wait before the next attempt, up to a minute. An hour after
 * the last attempt the count restarts at zero.
 * The count by account never blocks anyone permanently. While many strangers fail with one account, each stranger's
 * address must wait a few seconds before each attempt with that account, and is then allowed that attempt whatever
 * other addresses do. So a correct password is accepted after a short wait, and guessing from many addresses is slow.
 * Counts are stored in the database, so they apply on every node. An attempt is counted before the password is checked,
 * so that a burst of attempts cannot exceed the limit.
 */
const free = { place: 5, address: 20, account: 20 };
export const longestWaitSeconds = 60;
export const attackWaitSeconds = 10;

/** One way to count an attempt. The first way that requires no wait is used. */
export interface Way {
  /** Whether failures of strangers cannot affect this count; such attempts are checked before those of strangers. */
  readonly isKnown: boolean;
  /** The person and the source together. */
  readonly place: string;
  /** The address alone, for all accounts. */
  readonly address?: string;
  readonly account?: string;
}

export interface SignIn {
  readonly email: string;
  readonly network: string;
  readonly isKnownAddress: boolean;
  /** The id in the cookie of an earlier sign-in of this person. */
  readonly browserID: string | undefined;
}

// The kind is part of the hashed text, so that no chosen name can collide with a counter of another kind.
const subject = (kind: string, ...parts: readonly string[]): string =>
  `${kind}:${createHash('sha256')
    .update(JSON.stringify([kind, ...parts]))
    .digest('base64url')}`;

export function waysToSignIn({ email, network, isKnownAddress, browserID }: SignIn): readonly Way[] {
  const place = subject('pair', email, network);
  const fromAddress: Way = isKnownAddress
    ? { isKnown: true, place }
    : { isKnown: false, place, address: subject('address', network), account: subject('account', email) };
  return browserID === undefined
    ? [fromAddress]
    : [{ isKnown: true, place: subject('browser', browserID) }, fromAddress];
}

export const wayOfSession = (sessionID: number): Way => ({
  isKnown: true,
  place: subject('session', String(sessionID)),
});

/** Uploads name no account: a wrong upload key counts for its address. */
export const wayOfUploads = (network: string): Way => ({
  isKnown: false,
  place: subject('uploads', network),
  address: subject('address', network),
});

/**
 * Installation codes name no account. All wrong codes together count like those of one account: after many, every
 * address waits before each attempt, and no address is refused for what others do.
 */
export const wayOfCodes = (network: string): Way => ({
  isKnown: false,
  place: subject('code', network),
  account: subject('codes'),
});

export interface SignInAttempt {
  readonly isKnown: boolean;
  /** The password was correct: resets the caller's own counters, but not those of the address for other accounts. */
  succeeded(): Promise<void>;
  /** The password was not checked: the attempt does not count. */
  withdraw(): Promise<void>;
}

/** Counts an attempt; throws 429 if every way requires a wait. */
export async function beginAttempt(
  db: Pool,
  ways: readonly Way[],
  attempts = 'attempts to sign in',
): Promise<SignInAttempt> {
  const waits: number[] = [];
  for (const way of ways) {
    const isAttacked = way.account !== undefined && (await findAccountFailures(db, way.account)) >= free.account;
    const waitSeconds = await enter(db, way, isAttacked);
    if (waitSeconds === 0) return admitted(db, way);
    waits.push(waitSeconds);
  }
  const seconds = Math.min(...waits);
  throw new Refusal('tooMany', `There were too many failed ${attempts}. Wait ${seconds} s, then try again.`, {
    headers: { 'retry-after': String(seconds) },
  });
}

/** Rolls the transaction back, so that rejected attempts do not fill the table. */
class MustWait extends Error {
  readonly seconds: number;
  constructor(seconds: number) {
    super(`wait ${seconds} s`);
    this.seconds = seconds;
  }
}

/** The seconds to wait; 0 if the attempt is allowed and counted. */
async function enter(db: Pool, way: Way, isAttacked: boolean): Promise<number> {
  try {
    return await inTransaction(db, (tx) => countAttempt(tx, way, isAttacked));
  } catch (error) {
    if (error instanceof MustWait) return error.seconds;
    throw error;
  }
}

async function admitted(db: Pool, { isKnown, place, address, account }: Way): Promise<SignInAttempt> {
  if (account !== undefined) await countAccountFailure(db, account);
  const shared = [address, account].filter((counter) => counter !== undefined);
  return {
    isKnown,
    succeeded: async () => {
      await forgetFailures(db, place);
      for (const counter of shared) await withdrawAttempt(db, counter, free.address);
    },
    withdraw: async () => {
      for (const counter of [place, ...shared]) await withdrawAttempt(db, counter);
    },
  };
}

async function countAttempt(tx: Db, { place, address }: Way, isAttacked: boolean): Promise<number> {
  const counters = await lockCounters(tx, address === undefined ? [place] : [place, address]);
  const waitSeconds = Math.max(...counters.map((counter) => counter.waitSeconds ?? 0));
  if (waitSeconds > 0) throw new MustWait(Math.ceil(waitSeconds));
  const unwaited = counters.filter((counter) => counter.subject === place && counter.waitSeconds === null);
  if (isAttacked && unwaited.length > 0) {
    await storeCounters(
      tx,
      unwaited.map((counter) => ({ ...counter, waitSeconds: attackWaitSeconds })),
    );
    return attackWaitSeconds;
  }
  const counted = counters.map(({ subject: counter, failures }) => {
    const isPlace = counter === place;
    const next = nextWait(failures + 1, isPlace ? free.place : free.address);
    const isSlowed = isPlace && isAttacked;
    return {
      subject: counter,
      failures: failures + 1,
      waitSeconds: isSlowed ? Math.max(attackWaitSeconds, next ?? 0) : next,
    };
  });
  await storeCounters(tx, counted);
  return 0;
}

const nextWait = (failures: number, freeFailures: number): number | null =>
  failures < freeFailures ? null : Math.min(2 ** (failures - freeFailures), longestWaitSeconds);

/** A wrong key in a request without a person: counts for the address. Throws 429 after too many. */
export async function countWrongKey(db: Pool, address: string): Promise<void> {
  await beginAttempt(db, [wayOfUploads(networkOf(address))]);
}

/** Counts an attempt with an installation code before the code is checked. Throws 429 after too many wrong ones. */
export const beginCodeAttempt = (db: Pool, address: string): Promise<SignInAttempt> =>
  beginAttempt(db, [wayOfCodes(networkOf(address))], 'installation codes');
