import type { Value } from './values.ts';

/** The default for rows whose columns are not declared. */
// oxlint-disable-next-line typescript/no-explicit-any -- a query without a row type reads any column
export type Row = Record<string, any>;

type Rows = readonly (object | undefined)[];

declare const part: unique symbol;

/** A part of a statement: it can be put into another one. */
export interface Fragment {
  readonly [part]?: never;
}

/** A statement runs when it is first awaited, and only once. */
export interface Pending<Result> extends Fragment, Promise<Result> {}

export type Argument = Value | Fragment | readonly Fragment[] | Identifier | InsertedRows;

/** A pool or a transaction. Every query takes it as its first argument, so that a transaction is always visible. */
export interface Db {
  <Result extends Rows = Row[]>(strings: TemplateStringsArray, ...args: readonly Argument[]): Pending<Result>;
  /** A quoted name; a dot separates schema, table and column. */
  (name: string): Identifier;
  /** The columns and values of an insert: `insert into table ${db(rows)}`. All rows have the columns of the first. */
  (rows: readonly Readonly<Record<string, Value>>[]): InsertedRows;
  /** A statement, or several without values, as plain text. As a part of a statement the text is inserted as it is. */
  unsafe<Result extends Rows = Row[]>(text: string, values?: readonly Value[]): Pending<Result>;
}

export class Identifier {
  readonly text: string;

  constructor(name: string) {
    this.text = `"${name.replaceAll('"', '""').replaceAll('.', '"."')}"`;
  }
}

export class InsertedRows {
  readonly rows: readonly Readonly<Record<string, Value>>[];

  constructor(rows: readonly Readonly<Record<string, Value>>[]) {
    this.rows = rows;
  }
}

export type Run = (statement: Statement) => Promise<unknown>;

/** What a template or `unsafe` makes. A part is never run, so the promise is created on demand. */
export class Statement {
  readonly strings: readonly string[];
  readonly args: readonly unknown[];
  /** Whether the statement is plain text instead of a template. */
  readonly isPlain: boolean;
  readonly #run: Run;
  #result: Promise<unknown> | undefined;

  constructor(strings: readonly string[], args: readonly unknown[], isPlain: boolean, run: Run) {
    this.strings = strings;
    this.args = args;
    this.isPlain = isPlain;
    this.#run = run;
  }

  get [Symbol.toStringTag](): string {
    return 'Statement';
  }

  // oxlint-disable-next-line unicorn/no-thenable -- a statement runs when it is awaited
  then<A, B>(onFulfilled?: ((value: unknown) => A) | null, onRejected?: ((reason: unknown) => B) | null) {
    return (this.#result ??= this.#run(this)).then(onFulfilled, onRejected);
  }

  catch(onRejected?: ((reason: unknown) => unknown) | null) {
    return (this.#result ??= this.#run(this)).catch(onRejected);
  }

  finally(onFinally?: (() => void) | null) {
    return (this.#result ??= this.#run(this)).finally(onFinally);
  }
}

export function createDb(run: Run): Db {
  const db = (first: TemplateStringsArray | string | InsertedRows['rows'], ...args: readonly unknown[]) => {
    if (typeof first === 'string') return new Identifier(first);
    if ('raw' in first) return new Statement(first, args, false, run);
    return new InsertedRows(first);
  };
  const unsafe = (text: string, values: readonly unknown[] = []) => new Statement([text], values, true, run);
  return Object.assign(db, { unsafe }) as unknown as Db;
}
