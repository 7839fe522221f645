import { sampleRate } from '../engine.ts';
import type { Speech } from './gate.ts';
import type { Recognised } from './recogniser.ts';
import { isWordless } from './recogniser.ts';

/*
 * The voice detector also reacts to coughs, laughter, animals and engines. Whether that was speech is decided by the
 * detector, the recogniser and the length together. The thresholds were found on 1,000 clips of ESC-50 with revision 2 of
 * the engine, where 90 stretches passed the gate: from 1.5 s on, with a voice up to 0.74; from 3 s on, up to 0.39. The
 * recogniser wrote words for 8 of them, all shorter than 2 s, with a mean below -0.5 and a voice up to 0.7.
 *
 * They were checked with revision 3, whose detector gets quiet sound louder and no rumble. 240 clips of ESC-50, 30 of them
 * of human voices: no words and no marks. 65 single words, each in a clip of 0.5 to 1.5 s: words were written for 63. The
 * voice was 0.76 or more in 62 of the 64 that passed the gate; the one that was lost had 0.69, and a mean of -0.5. In
 * radio noise at 10 dB, 18 of them are dropped here, and none of the dropped texts is the word that was said. So stricter
 * thresholds would cost speech, and looser ones would only add wrong words.
 *
 * Without words, a stretch counts as speech only if there is a certain voice for some time. With words, it counts as
 * speech unless everything is against it: it is short, and both are unsure.
 */

const certainVoice = 0.75;
/** The pauses in a longer stretch lower its mean. */
const certainVoiceOfLong = 0.5;
const longSeconds = 3;
const leastWordlessSeconds = 1.5;
const shortSeconds = 2;
const leastLogProbability = -0.4;

const secondsOf = ({ samples }: Speech) => samples.length / sampleRate;

export const isVoiceCertain = (speech: Speech): boolean =>
  speech.voice >= (secondsOf(speech) >= longSeconds ? certainVoiceOfLong : certainVoice);

/** Whether a stretch is speech without any doubt, whatever the recogniser finds. */
export const isClearSpeech = (speech: Speech): boolean =>
  isVoiceCertain(speech) && secondsOf(speech) >= leastWordlessSeconds;

export function isSpeech(speech: Speech, recognised: Recognised): boolean {
  if (isWordless(recognised)) return isClearSpeech(speech);
  const isShort = secondsOf(speech) < shortSeconds;
  return isVoiceCertain(speech) || !isShort || recognised.logProbability >= leastLogProbability;
}
