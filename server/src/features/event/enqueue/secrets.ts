import { builtInEventTypes } from '@earshot/contract/event-type';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';

/*
 * URLs may have secrets in their query parts. An event shows its URLs without them. The complete URLs are stored
 * encrypted beside the event, for the agent that takes it, the platform's own jobs and its postback.
 */

export interface EventSecrets {
  /** The complete `eventParameters`, for the holder of the event. */
  readonly eventParameters?: string;
  readonly postbackURL?: string;
}

// Bound to the event: secrets that are copied to another event cannot be decrypted.
export const purposeOf = (eventID: number) => `event secrets ${eventID}`;

/** The only type whose parameters contain URLs; takes of other types do not read them. */
export const joiningType = builtInEventTypes.findIndex(({ name }) => name === 'Concatenate_audio_clips') + 1;

export const openSecrets = (box: SecretBox, eventID: number, sealed: Uint8Array): EventSecrets =>
  JSON.parse(box.open(sealed, purposeOf(eventID))) as EventSecrets;
