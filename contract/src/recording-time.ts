import { guanoTimestamp } from './guano.ts';
import { isWav, readId3Texts, readWavTexts } from './sound-metadata.ts';
import type { WrittenTime } from './written-time.ts';
import { readIsoTime, readOffset, timeFromEpoch, timeFromParts } from './written-time.ts';

/** From where the time was read: metadata in the file, its name, or its own date. */
export type TimeSource = 'guano' | 'bwf' | 'icmt' | 'icrd' | 'name' | 'id3' | 'file';

export interface RecordingTime {
  /** Milliseconds since 1970; undefined if nothing tells it. If the zone is not known, the local time counts as UTC. */
  readonly start: number | undefined;
  readonly source: TimeSource;
  readonly zoneKnown: boolean;
}

export interface RecordingFile {
  /** The first bytes of the file, `recordingHeadBytes` are enough. */
  readonly head: Uint8Array;
  readonly name: string;
  readonly lastModifiedMs?: number | undefined;
  /** The text of a GUANO chunk that is not in the first bytes. */
  readonly guano?: string | undefined;
}

export const recordingHeadBytes = 262_144;

/** When a recording began, from the most reliable source. Malformed files count as files without that source. */
export function readRecordingTime({ head, name, lastModifiedMs, guano }: RecordingFile): RecordingTime {
  const wav = isWav(head) ? readWavTexts(head) : undefined;
  const comment = wav?.info.get('ICMT') ?? '';
  const sources: readonly (readonly [TimeSource, () => WrittenTime | undefined])[] = [
    ['guano', () => readIsoTime(guanoTimestamp(guano ?? wav?.guano ?? '') ?? '')],
    ['bwf', () => wav?.bext && readBext(wav.bext)],
    ['icmt', () => readAudioMothComment(comment)],
    ['icrd', () => readIsoTime(wav?.info.get('ICRD') ?? '')],
    ['name', () => readName(name)],
    ['id3', () => readId3(readId3Texts(wav?.id3 ?? head))],
  ];
  for (const [source, read] of sources) {
    const found = read();
    if (found) return { start: found.ms, source, zoneKnown: found.zoneKnown };
  }
  return { start: lastModifiedMs, source: 'file', zoneKnown: true };
}

function readBext({ date, time }: { readonly date: string; readonly time: string }): WrittenTime | undefined {
  const day = /^(\d{4})\D(\d\d)\D(\d\d)$/.exec(date);
  const clock = /^(\d\d)\D(\d\d)\D(\d\d)$/.exec(time);
  return day && clock ? timeFromTexts([...day.slice(1), ...clock.slice(1)]) : undefined;
}

/** `Recorded at 19:17:30 05/12/2022 (UTC+2) by AudioMoth …`; the day comes before the month. */
function readAudioMothComment(text: string): WrittenTime | undefined {
  const found =
    /Recorded at (\d\d):(\d\d):(\d\d)(?:\.(\d{3}))? (\d\d)\/(\d\d)\/(\d{4})(?: \(UTC([+-]\d{1,2}(?::\d\d)?)?\))?/.exec(
      text,
    );
  if (!found) return undefined;
  const [, hour, minute, second, millisecond, day, month, year, offset] = found;
  const isZoned = found[0].endsWith(')');
  const time = timeFromTexts(
    [year, month, day, hour, minute, second],
    isZoned ? (readOffset(offset ?? 'Z') ?? 0) : undefined,
  );
  return time && { ...time, ms: time.ms + Number(millisecond ?? 0) };
}

/** trunk-recorder: `<talkgroup>-<seconds since 1970>_<frequency>…`. */
const trunkRecorderName = /^\d{1,10}-(\d{9,11})_\d+(?:\.\d+)?(?!\d)/;

/** Date and time as digits, as AudioMoth, SDRTrunk, phones and most recorders write them. */
const datedName =
  /(?<!\d)((?:19|20)\d\d)[-_.]?(\d\d)[-_.]?(\d\d)[-_. Tt]?(\d\d)[-_.:]?(\d\d)[-_.:]?(\d\d)(?!\d)(Z(?![A-Za-z])|[+-]\d{2}:?\d{2}(?!\d))?/;

const longestName = 1_000;

function readName(path: string): WrittenTime | undefined {
  const name = (path.split(/[/\\]/).at(-1) ?? '').slice(0, longestName);
  const call = trunkRecorderName.exec(name);
  if (call) return timeFromEpoch(Number(call[1]));
  const dated = datedName.exec(name);
  return dated ? timeFromTexts(dated.slice(1, 7), readOffset(dated[7] ?? '')) : undefined;
}

/** Version 2.4 has one time; the earlier ones have a year, `DDMM` and `HHMM`. */
function readId3(texts: ReadonlyMap<string, string>): WrittenTime | undefined {
  const recorded = readIsoTime(texts.get('TDRC') ?? '');
  if (recorded) return recorded;
  const year = texts.get('TYER') ?? texts.get('TYE') ?? '';
  const day = /^(\d\d)(\d\d)$/.exec(texts.get('TDAT') ?? texts.get('TDA') ?? '');
  const clock = /^(\d\d)(\d\d)$/.exec(texts.get('TIME') ?? texts.get('TIM') ?? '');
  if (!/^\d{4}$/.test(year) || !day || !clock) return undefined;
  return timeFromTexts([year, day[2], day[1], clock[1], clock[2], '0']);
}

function timeFromTexts(texts: readonly (string | undefined)[], offsetMinutes?: number): WrittenTime | undefined {
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0, second = 0] = texts.map(Number);
  return timeFromParts({ year, month, day, hour, minute, second, offsetMinutes });
}
