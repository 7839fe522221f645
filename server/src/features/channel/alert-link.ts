import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import { readLinkToken, writeLinkToken } from '../../platform/secrets/signed-link.ts';

const purpose = 'acknowledge an alert';
const validSeconds = 7 * 86_400;

/** A token with which one person acknowledges one alert. */
export const newAlertLink = (box: SecretBox, alertID: number, userID: number): string =>
  writeLinkToken(box, purpose, {
    subject: `${alertID} ${userID}`,
    expiresEpoch: Math.floor(Date.now() / 1_000) + validSeconds,
  });

export function readAlertLink(
  box: SecretBox,
  token: string,
): { readonly alertID: number; readonly userID: number } | undefined {
  const subject = readLinkToken(box, purpose, token, Date.now());
  if (subject === undefined) return undefined;
  const [alertID = 0, userID = 0] = subject.split(' ').map(Number);
  return { alertID, userID };
}
