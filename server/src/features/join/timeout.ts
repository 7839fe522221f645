import { longestTimeoutSeconds } from '@earshot/contract/audio-clip-join';

const usualSeconds = 3_600;

/**
 * Reads seconds in any form that clients send; undefined if the text has none of these forms, or is too long a time.
 */
export function readTimeout(given: string | number | undefined): number | undefined {
  const seconds = given === undefined ? 0 : readSeconds(String(given).trim());
  if (seconds === undefined || !Number.isInteger(seconds) || seconds > longestTimeoutSeconds) return undefined;
  return seconds === 0 ? usualSeconds : seconds;
}

function readSeconds(text: string): number | undefined {
  if (text === '') return 0;
  if (/^\d{1,9}$/.test(text)) return Number(text);
  const clock = /^(\d{1,3}):([0-5]\d):([0-5]\d)$/.exec(text);
  if (clock) return inSeconds(0, clock[1], clock[2], clock[3]);
  const duration = /^P(?:(\d{1,4})D)?(?:T(?:(\d{1,6})H)?(?:(\d{1,6})M)?(?:(\d{1,9})S)?)?$/i.exec(text);
  // At least one part, and at least one after a T.
  if (!duration || /[PT]$/i.test(text)) return undefined;
  return inSeconds(Number(duration[1] ?? 0), duration[2], duration[3], duration[4]);
}

const inSeconds = (days: number, hours = '0', minutes = '0', seconds = '0'): number =>
  ((days * 24 + Number(hours)) * 60 + Number(minutes)) * 60 + Number(seconds);
