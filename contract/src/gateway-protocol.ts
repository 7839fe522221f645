import type { TObject } from 'typebox';

/** An operation of another protocol, with responses as the clients of that protocol expect them. */
export interface Gateway {
  /** Undefined if the request has no body. */
  readonly form?: TObject;
  /** The form has no file, and may also be sent as `application/x-www-form-urlencoded`. */
  readonly mayBeUrlEncoded?: boolean;
  /** What each status means. */
  readonly answers: Readonly<Record<number, string>>;
  readonly answerType: 'text/plain' | 'application/json';
}
