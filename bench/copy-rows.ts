import type { Submittable } from 'pg';
import { Client } from 'pg';

/** The part of pg's connection that COPY uses. */
interface Wire {
  query(text: string): void;
  sendCopyFromChunk(chunk: Buffer): void;
  endCopyFrom(): void;
}

/** Sends chunks of text as the rows of a COPY statement. */
class CopyQuery {
  readonly #statement: string;
  readonly #chunks: Iterable<string>;
  readonly #settle: (error?: unknown) => void;

  constructor(statement: string, chunks: Iterable<string>, settle: (error?: unknown) => void) {
    this.#statement = statement;
    this.#chunks = chunks;
    this.#settle = settle;
  }

  submit(wire: Wire): void {
    wire.query(this.#statement);
  }

  handleCopyInResponse(wire: Wire): void {
    for (const chunk of this.#chunks) wire.sendCopyFromChunk(Buffer.from(chunk));
    wire.endCopyFrom();
  }

  handleCommandComplete(): void {}

  handleError(error: unknown): void {
    this.#settle(error);
  }

  handleReadyForQuery(): void {
    this.#settle();
  }
}

export interface RowCopier {
  /** `statement` is `copy … from stdin`. */
  copy(statement: string, chunks: Iterable<string>): Promise<void>;
  end(): Promise<void>;
}

/** COPY on a connection of its own, one statement at a time. */
export async function openRowCopier(url: string): Promise<RowCopier> {
  const client = new Client(url);
  await client.connect();
  return {
    copy: (statement, chunks) =>
      new Promise((resolve, reject) => {
        const settle = (error?: unknown) => (error === undefined ? resolve() : reject(error));
        client.query(new CopyQuery(statement, chunks, settle) as unknown as Submittable);
      }),
    end: () => client.end(),
  };
}
