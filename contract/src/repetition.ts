import { Type } from 'typebox';

/**
 * What a request does when it is sent again because the answer to the first one was lost.
 *
 * - harmless: nothing more
 * - adds: the same once more. These operations, and no others, take an idempotency key (`onceHeaders`)
 * - differs: it is refused, or does something else
 * - secret: as `adds`, but the answer contains a secret, which is not kept
 */
export type Repetition = 'harmless' | 'adds' | 'differs' | 'secret';

export const idempotencyHeader = 'idempotency-key';
/** How long the answer to a request with a key is kept. */
export const idempotencyHours = 24;
const longestKey = 200;

/** The headers of an operation whose repetition would add something once more. */
export const onceHeaders = {
  [idempotencyHeader]: Type.Optional(
    Type.String({
      pattern: `^[!-~]{1,${longestKey}}$`,
      description: `1 to ${longestKey} visible ASCII characters of your own choice, such as a UUID: a request with the same key is not done twice`,
    }),
  ),
};

/** For the description of an operation. */
export const repetitionTexts: Readonly<Partial<Record<Repetition, string>>> = {
  adds:
    'Sent again, it would do the same once more. With an `Idempotency-Key` it may be sent again, after a lost connection or ' +
    'a 503 for example: it is done once, and the answer is that of the first time.',
  differs:
    'If the answer was lost, find out what the first request did before you send it again: it may be refused, or do ' +
    'something else.',
  secret:
    'The answer contains a secret, which is not kept to be told again. If the answer was lost, send the request again, and ' +
    'remove what the first one created.',
};
