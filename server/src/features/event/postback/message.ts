import { createHmac } from 'node:crypto';
import { Event } from '@earshot/contract/event';
import { postbackTypes } from '@earshot/contract/postback';
import { compileSerialiser } from '@earshot/contract/serialisation';
import { Type } from 'typebox';
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
  const seconds = String(attemptEpoch);
  return {
    body,
    headers: {
      'content-type': 'application/json',
      'user-agent': 'Earshot',
      'webhook-id': messageID,
      'webhook-timestamp': seconds,
      'webhook-signature': `v1,${sign(secret, `${messageID}.${seconds}.${body}`)}`,
    },
  };
}

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
