/** Reads GUANO, the metadata that recorders such as AudioMoth and Song Meter write into WAV files. */

/** Where a recording was made. */
export interface RecordedPosition {
  readonly latitude: number;
  readonly longitude: number;
}

/** Undefined if the text names no valid position. */
export function guanoPosition(text: string): RecordedPosition | undefined {
  const found = /^Loc Position:\s*(-?\d{1,2}(?:\.\d+)?)[ ,]+(-?\d{1,3}(?:\.\d+)?)\s*$/m.exec(text);
  if (!found) return undefined;
  const [latitude, longitude] = [Number(found[1]), Number(found[2])];
  const isValid = Math.abs(latitude) <= 90 && Math.abs(longitude) <= 180;
  return isValid ? { latitude, longitude } : undefined;
}

/** When the recording began, as the recorder wrote it. */
export const guanoTimestamp = (text: string): string | undefined => /^Timestamp:[ \t]*(\S[^\r\n]*)$/m.exec(text)?.[1];
