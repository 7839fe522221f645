import type { ClientConfig, Submittable } from 'pg';
import type { Composition, Composed } from './composition.ts';
import { toConnectionError } from './connection-error.ts';
import type { DatabaseTarget, HostAddress } from './connection-target.ts';
import type { OpenedClient } from './open-client.ts';
import { openClient } from './open-client.ts';
import type { Prepared, Sendable } from './running-query.ts';
import { RunningQuery } from './running-query.ts';

/** One connection of a pool. Queries are pipelined: a query is sent before the previous one is answered. */
export interface PooledConnection {
  /** Queries that were sent and are not answered. */
  readonly inFlight: number;
  /** Set when the connection was lost: it runs nothing any more. */
  readonly lost: Error | undefined;
  readonly openedAtMs: number;
  readonly host: HostAddress;
  /** PostgreSQL's number of the session. */
  readonly sessionID: number;
  /** Since when an answer is awaited; undefined if nothing is in flight. */
  readonly waitingSinceMs: number | undefined;
  /** How many queries were answered. */
  readonly answeredCount: number;
  /** The first error of a query since it was last cleared. */
  firstError: unknown;
  /** Whether the connection belongs to a transaction. */
  isReserved: boolean;
  /** Called when the connection is lost, for the transaction that it belongs to. */
  onLost: ((error: Error) => void) | undefined;
  run(composition: Composition): Promise<object[]>;
  /** Runs one or more statements without values. */
  runText(text: string): Promise<object[]>;
  isInTransaction(): boolean;
  /** Ends the session at PostgreSQL; nothing may be in flight. */
  end(): void;
  /** Closes the socket. Queries in flight are rejected with this error. */
  destroy(error: Error): void;
}

export interface ConnectionEvents {
  /** A query is answered, so the connection can take another. */
  readonly onAnswered: (connection: PooledConnection) => void;
  readonly onLost: (connection: PooledConnection) => void;
  /** The socket is closed. */
  readonly onClosed: (connection: PooledConnection) => void;
}

interface DatabaseError extends Error {
  readonly severity?: string;
  readonly code?: string;
  readonly routine?: string;
}

/**
 * The prepared statement does not exist on this connection, or its result has other columns than when it was prepared:
 * another node may have migrated the database. Both mean that nothing was done.
 */
const outdatedRoutines: ReadonlySet<string | undefined> = new Set(['FetchPreparedStatement', 'RevalidateCachedQuery']);

/** The server has become a standby: the next connection leads to the one that accepts changes. */
const readOnly = '25006';
/** A statement after the one that failed in a transaction. */
export const transactionAborted = '25P02';

const endsConnection = ({ severity }: DatabaseError): boolean => severity === 'FATAL' || severity === 'PANIC';

/** The library refuses statements of a connection that was lost before anybody listened for it. */
const isOfLostClient = ({ severity, message }: DatabaseError): boolean =>
  severity === undefined && message.endsWith('is not queryable');

/** Rejects with the reason for which no connection was opened. */
export async function openConnection(
  target: DatabaseTarget,
  config: ClientConfig,
  isPooled: boolean,
  events: ConnectionEvents,
): Promise<PooledConnection> {
  const { client, host } = await openClient(target, { ...config, pipeline: true });
  const isOfPrimary = target.sessionKind !== 'any';
  const connection = createPooledConnection({ client, host }, { isPooled, isOfPrimary }, events);
  client.on('error', (error) => connection.lose(error));
  client.on('end', () => connection.close());
  return connection.pooled;
}

function createPooledConnection(
  { client, host }: OpenedClient,
  { isPooled, isOfPrimary }: { readonly isPooled: boolean; readonly isOfPrimary: boolean },
  { onAnswered, onLost, onClosed }: ConnectionEvents,
) {
  const statements = new Map<Composed, Prepared>();
  let statementCount = 0;
  let inFlight = 0;
  let waitingSinceMs: number | undefined;
  let answeredCount = 0;
  let lost: Error | undefined;

  function lose(error: Error): void {
    if (lost) return;
    lost = toConnectionError(error);
    pooled.onLost?.(lost);
    onLost(pooled);
  }

  function prepare(composed: Composed): Prepared {
    // The next transaction may run on another connection to PostgreSQL, which does not know the name.
    if (isPooled) return { composed, name: '', columns: undefined };
    let prepared = statements.get(composed);
    if (!prepared) {
      prepared = { composed, name: `s${(statementCount += 1)}`, columns: undefined };
      statements.set(composed, prepared);
    }
    return prepared;
  }

  function answered(): void {
    inFlight -= 1;
    answeredCount += 1;
    waitingSinceMs = inFlight > 0 ? performance.now() : undefined;
    onAnswered(pooled);
  }

  function send(sendable: Sendable, done: (rows: object[]) => void, failed: (error: DatabaseError) => void): void {
    inFlight += 1;
    waitingSinceMs ??= performance.now();
    const query = new RunningQuery(sendable, {
      done(rows) {
        done(rows);
        answered();
      },
      failed(given) {
        const error = given as DatabaseError;
        if (endsConnection(error) || isOfLostClient(error)) lose(error);
        failed(error.severity === undefined && lost ? lost : error);
        answered();
        if (isOfPrimary && error.code === readOnly) pooled.destroy(error);
      },
    });
    client.query(query as unknown as Submittable);
  }

  function fail(error: DatabaseError, reject: (error: unknown) => void, { text }: Partial<Composed> = {}): void {
    pooled.firstError ??= error;
    // A composed text contains no values. All queries that were lost with the connection share one error.
    if (text !== undefined && error !== lost) error.stack += `\n    in the statement ${text.trim().slice(0, 500)}`;
    reject(error);
  }

  const pooled: PooledConnection = {
    get inFlight() {
      return inFlight;
    },
    get lost() {
      return lost;
    },
    openedAtMs: performance.now(),
    host,
    sessionID: (client as unknown as { readonly processID: number }).processID,
    get waitingSinceMs() {
      return waitingSinceMs;
    },
    get answeredCount() {
      return answeredCount;
    },
    firstError: undefined,
    isReserved: false,
    onLost: undefined,
    run: ({ composed, values }) =>
      new Promise((resolve, reject) => {
        if (lost) return reject(lost);
        const prepared = prepare(composed);
        send({ prepared, values }, resolve, (error) => {
          if (lost || !outdatedRoutines.has(error.routine)) return fail(error, reject, composed);
          if (statements.get(composed) === prepared) statements.delete(composed);
          send({ prepared: prepare(composed), values }, resolve, (again) => {
            // In a transaction the first error has ended it, and the second says only that.
            fail(again.code === transactionAborted ? error : again, reject, composed);
          });
        });
      }),
    runText: (text) =>
      new Promise((resolve, reject) => {
        if (lost) reject(lost);
        else send(text, resolve, (error) => fail(error, reject));
      }),
    isInTransaction: () => client.getTransactionStatus() !== 'I',
    end: () => void client.end(),
    destroy(error) {
      lose(error);
      client.connection.stream.destroy();
    },
  };

  return {
    pooled,
    lose: (error: Error) => lose(error),
    close() {
      lose(new Error('the connection to the database was closed'));
      onClosed(pooled);
    },
  };
}
