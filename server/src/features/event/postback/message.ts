import { Event } from '@earshot/contract/event';
import { postbackTypes } from '@earshot/contract/postback';
import { compileSerialiser } from '@earshot/contract/serialisation';
import { Type } from 'typebox';
import { signedHeaders } from '../../../platform/secrets/signed-message.ts';
import type { DuePostback } from './queries.ts';

const write = compileSerialiser(Type.Object({ type: Type.String(), timestamp: Type.String(), data: Event }));

export interface Message {
  readonly body: string;
  readonly headers: Readonly<Record<string, string>>;
}

/**
 * A message as defined by Standard Webhooks. Its id and body are the same in every attempt; its timestamp, which a
 * receiver checks against its own clock, is the time of the attempt.
 */
export function createMessage({ messageID, endDate, attemptEpoch, event }: DuePostback, secret: string): Message {
  const type = postbackTypes[event.eventStatus as keyof typeof postbackTypes];
  const body = write({ type, timestamp: endDate, data: event });
  return { body, headers: signedHeaders(secret, { messageID, epoch: attemptEpoch, body }) };
}
