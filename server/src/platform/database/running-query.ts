import { Query } from 'pg';
import type { Composed } from './composition.ts';
import type { SentValue } from './values.ts';
import { parserOf } from './values.ts';

/*
 * A query of pg that prepares its statement once on each connection and then sends only its values: PostgreSQL describes
 * the columns of a statement when it is first run, and not again.
 *
 *     Parse (first run), Bind, Describe (until the columns are known), Execute, Sync
 */

/** The part of pg's connection that a query uses. */
interface Wire {
  readonly stream: { cork(): void; uncork(): void };
  /** The names of statements whose Parse is not answered yet; pg removes them. */
  readonly submittedNamedStatements: Record<string, string>;
  query(text: string): void;
  parse(message: { name: string; text: string; types: readonly number[] }): void;
  bind(message: { statement: string; values: readonly SentValue[] }): void;
  describe(message: { type: 'P' }): void;
  execute(message: object): void;
  sync(): void;
}

interface Field {
  readonly name: string;
  readonly dataTypeID: number;
}

interface Column {
  readonly name: string;
  readonly parse: ((text: string) => unknown) | undefined;
}

/** A statement on one connection. */
export interface Prepared {
  readonly composed: Composed;
  readonly name: string;
  /** Undefined until PostgreSQL has described them. */
  columns: readonly Column[] | undefined;
}

/** What is sent: plain text, or a prepared statement with values. */
export type Sendable = string | { readonly prepared: Prepared; readonly values: readonly SentValue[] };

export interface Outcome {
  /** Called once, with the rows, when PostgreSQL is ready for the next query. */
  readonly done: (rows: object[]) => void;
  /** Called once. PostgreSQL may still have to become ready for the next query. */
  readonly failed: (error: unknown) => void;
}

interface NamedQuery {
  name: string | undefined;
  hasBeenParsed(wire: Wire): boolean;
}

// pg's types declare some methods of a query as properties and others not at all.
const PgQuery = Query as unknown as new (text: string) => NamedQuery;

/** In pipeline mode pg accepts only instances of its own class. */
export class RunningQuery extends PgQuery {
  readonly #sendable: Sendable;
  readonly #outcome: Outcome;
  #columns: readonly Column[] | undefined;
  #rows: object[] = [];
  /** An error while reading rows: it is reported when PostgreSQL has sent them all. */
  #fault: unknown;

  constructor(sendable: Sendable, outcome: Outcome) {
    super(typeof sendable === 'string' ? sendable : sendable.prepared.composed.text);
    if (typeof sendable !== 'string') this.name = sendable.prepared.name;
    this.#sendable = sendable;
    this.#outcome = outcome;
  }

  submit(wire: Wire): null {
    holdWrites(wire.stream);
    if (typeof this.#sendable === 'string') {
      wire.query(this.#sendable);
      return null;
    }
    const { prepared, values } = this.#sendable;
    const { composed, name } = prepared;
    if (!this.hasBeenParsed(wire)) {
      wire.parse({ name, text: composed.text, types: composed.types });
      if (name !== '') wire.submittedNamedStatements[name] = composed.text;
    }
    wire.bind({ statement: name, values });
    if (prepared.columns) this.#columns = prepared.columns;
    else wire.describe({ type: 'P' });
    wire.execute({});
    wire.sync();
    return null;
  }

  handleRowDescription({ fields }: { readonly fields: readonly Field[] }): void {
    this.#columns = fields.map(({ name, dataTypeID }) => ({ name, parse: parserOf(dataTypeID) }));
    // Of several statements in one text, the rows of the last are the result.
    this.#rows = [];
  }

  handleDataRow({ fields }: { readonly fields: readonly (string | null)[] }): void {
    const row: Record<string, unknown> = {};
    const columns = this.#columns ?? [];
    try {
      for (let index = 0; index < columns.length; index += 1) {
        const { name, parse } = columns[index]!;
        const text = fields[index]!;
        row[name] = parse === undefined || text === null ? text : parse(text);
      }
    } catch (error) {
      this.#fault ??= error;
    }
    this.#rows.push(row);
  }

  handleCommandComplete(): void {}

  handleEmptyQuery(): void {}

  handlePortalSuspended(): void {}

  handleCopyInResponse(wire: { sendCopyFail(reason: string): void }): void {
    wire.sendCopyFail('COPY FROM STDIN is not supported here');
  }

  handleCopyData(): void {}

  handleError(error: unknown): void {
    this.#outcome.failed(error);
  }

  handleReadyForQuery(): void {
    if (typeof this.#sendable !== 'string') this.#sendable.prepared.columns ??= this.#columns ?? [];
    if (this.#fault === undefined) this.#outcome.done(this.#rows);
    else this.#outcome.failed(this.#fault);
  }
}

const held = new WeakSet<object>();

/** Writes of one turn of the event loop are sent together. */
function holdWrites(stream: Wire['stream']): void {
  if (held.has(stream)) return;
  held.add(stream);
  stream.cork();
  setImmediate(() => {
    held.delete(stream);
    stream.uncork();
  });
}
