import { randomBytes } from 'node:crypto';

/** The format that Standard Webhooks libraries read. */
export const newPostbackSecret = (): string => `whsec_${randomBytes(32).toString('base64')}`;

export const postbackPurpose = 'postback secret';
