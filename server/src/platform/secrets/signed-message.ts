import { createHmac } from 'node:crypto';

export interface SignedContent {
  readonly messageID: string;
  /** Seconds since 1970, of this attempt. */
  readonly epoch: number;
  readonly body: string;
}

/** The headers of a JSON message as defined by Standard Webhooks. */
export const signedHeaders = (
  secret: string,
  { messageID, epoch, body }: SignedContent,
): Readonly<Record<string, string>> => ({
  'content-type': 'application/json',
  'user-agent': 'Earshot',
  'webhook-id': messageID,
  'webhook-timestamp': String(epoch),
  'webhook-signature': `v1,${sign(secret, `${messageID}.${epoch}.${body}`)}`,
});

function sign(secret: string, content: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return createHmac('sha256', key).update(content).digest('base64');
}
