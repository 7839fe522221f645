import type { AnswerOf, InputOf, Operation } from '@earshot/contract/operation';
import type { Operations } from '@earshot/contract/operations';

// In the published package, these types are written out by scripts/client-types.mjs.

export interface CallOptions {
  readonly signal?: AbortSignal;
}

type Filled<Part> = keyof Part extends never ? Record<never, never> : Part;

/** The bytes of a file. */
export type ByteBody = Uint8Array<ArrayBuffer> | Blob | ReadableStream<Uint8Array>;

/** Params, query and body, as far as the operation has them; a download can also request a range. */
type CallInput<Op extends Operation> = Filled<
  (keyof InputOf<Op>['params'] extends never ? unknown : { readonly params: InputOf<Op>['params'] }) &
    (keyof InputOf<Op>['query'] extends never ? unknown : { readonly query?: InputOf<Op>['query'] }) &
    (keyof InputOf<Op>['headers'] extends never ? unknown : { readonly headers?: InputOf<Op>['headers'] }) &
    (InputOf<Op>['body'] extends undefined ? unknown : { readonly body: InputOf<Op>['body'] }) &
    (Op['bytes'] extends 'received' ? { readonly body: ByteBody } : unknown) &
    (Op['bytes'] extends 'sent' ? { readonly headers?: Readonly<Record<string, string>> } : unknown)
>;

/** A byte response is returned as it is, so that the caller can stream it. */
type ResultOf<Op extends Operation> = Op['bytes'] extends 'sent' ? Response : AnswerOf<Op>;

type Method<Op extends Operation> =
  Record<never, never> extends CallInput<Op>
    ? (input?: CallInput<Op>, options?: CallOptions) => Promise<ResultOf<Op>>
    : (input: CallInput<Op>, options?: CallOptions) => Promise<ResultOf<Op>>;

/** A method for every operation of the contract, with the operation's name; the live stream is `listen` in live.ts. */
export type Client = { readonly [Name in Exclude<keyof Operations, 'listenToChanges'>]: Method<Operations[Name]> };
