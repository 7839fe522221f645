import { readFile, stat } from 'node:fs/promises';
import { basename, dirname, extname } from 'node:path';
import type { RadioCall } from '@earshot/contract/radio';
import { largestTalkgroup } from '@earshot/contract/radio';
import { readId3Texts } from '@earshot/contract/sound-metadata';
import { timeFromEpoch } from '@earshot/contract/written-time';
import { diskPath } from './file-name.ts';

/*
 * What recorders of radio systems write about a call: trunk-recorder in a `.json` file beside the sound, SDRTrunk in the
 * name and in ID3 tags, DSDPlus in the name and its folder.
 */

export type CallFacts = Pick<
  RadioCall,
  | 'talkgroup'
  | 'talkgroupLabel'
  | 'talkgroupName'
  | 'talkgroupGroup'
  | 'talkgroupTag'
  | 'unit'
  | 'units'
  | 'frequency'
  | 'isEmergency'
  | 'patches'
> & { readonly system?: string };

export interface RecordedCall {
  readonly facts: CallFacts;
  /** Milliseconds since 1970, if the recorder wrote it in another place than the sound. */
  readonly startMs?: number | undefined;
  /** The sound of an encrypted call is noise. */
  readonly isEncrypted: boolean;
  /** Whether the recorder writes this after the sound, or the sound in one go: then the sound is complete. */
  readonly isComplete: boolean;
}

const largestMetadataBytes = 1_000_000;
const mostUnits = 100;
const longestText = 255;

/** The file beside a sound in which trunk-recorder describes it. */
export const metadataPath = (path: string): string => `${path.slice(0, -extname(path).length)}.json`;

/** Undefined if the file is no call of a known recorder. */
export async function readRadioCall(path: string, head: Uint8Array): Promise<RecordedCall | undefined> {
  const text = await readMetadata(metadataPath(path)).catch(() => undefined);
  const described = text === undefined ? undefined : readTrunkRecorder(text);
  return described ?? readSdrTrunk(path, head) ?? readDsdPlus(path);
}

/** A pipe of this name would be read for ever. */
async function readMetadata(path: string): Promise<string | undefined> {
  const found = await stat(diskPath(path));
  return found.isFile() && found.size <= largestMetadataBytes ? readFile(diskPath(path), 'utf8') : undefined;
}

function readTrunkRecorder(text: string): RecordedCall | undefined {
  let meta: Readonly<Record<string, unknown>>;
  try {
    const parsed = JSON.parse(text) as unknown;
    if (typeof parsed !== 'object' || parsed === null) return undefined;
    meta = parsed as Readonly<Record<string, unknown>>;
  } catch {
    return undefined;
  }
  const talkgroup = readTalkgroup(meta['talkgroup']);
  if (talkgroup === undefined) return undefined;
  const sources = Array.isArray(meta['srcList']) ? (meta['srcList'] as unknown[]).filter(isRecord) : [];
  const units = sources.flatMap(({ src }) => readCount(src) ?? []).slice(0, mostUnits);
  const patches = (Array.isArray(meta['patched_talkgroups']) ? (meta['patched_talkgroups'] as unknown[]) : [])
    .flatMap((each) => readTalkgroup(each) ?? [])
    .filter((each) => each !== talkgroup);
  const startSeconds = readCount(meta['start_time']);
  return {
    facts: withoutUnset({
      system: readText(meta['short_name']),
      talkgroup,
      talkgroupLabel: readText(meta['talkgroup_tag']),
      talkgroupName: readText(meta['talkgroup_description']),
      talkgroupGroup: readText(meta['talkgroup_group']),
      talkgroupTag: readText(meta['talkgroup_group_tag']),
      unit: units[0],
      units: units.length > 0 ? [...new Set(units)] : undefined,
      frequency: readCount(meta['freq']),
      isEmergency: isSet(meta['emergency']) || sources.some(({ emergency }) => isSet(emergency)) || undefined,
      patches: patches.length > 0 ? patches.slice(0, mostUnits) : undefined,
    }),
    startMs: startSeconds === undefined ? undefined : timeFromEpoch(startSeconds)?.ms,
    isEncrypted: isSet(meta['encrypted']),
    isComplete: true,
  };
}

/** `20220809_153120Site_T-Control__TO_4521_FROM_1610018.mp3`; the title is the talkgroup and its name, the artist the unit. */
function readSdrTrunk(path: string, head: Uint8Array): RecordedCall | undefined {
  const name = basename(path);
  const found = /^(\d{8})_(\d{6})(?!\d).*_TO_(\d{1,10})(?:_FROM_(\d{1,10}))?(?!\d)/.exec(name);
  if (!found) return undefined;
  const tags = readId3Texts(head);
  const label = /"([^"]+)"/.exec(tags.get('TIT2') ?? '')?.[1];
  const unit = readCount(Number(found[4] ?? tags.get('TPE1') ?? NaN));
  return {
    facts: withoutUnset({ talkgroup: readTalkgroup(Number(found[3])), talkgroupLabel: readText(label), unit }),
    startMs: localTime(found[1]!, found[2]!),
    isEncrypted: false,
    isComplete: true,
  };
}

/** `20220809/153120_001_DMR(BS)_1-899_DCC2_Slot1_GC_750[Ram_Muni]_52.wav`; the last two are the talkgroup and the unit. */
function readDsdPlus(path: string): RecordedCall | undefined {
  const day = /^\d{8}$/.exec(basename(dirname(path)));
  const found = /^(\d{6})_\d+_.*_(\d{1,10})(?:\[([^\]]*)\])?_(\d{1,10})(?:\[[^\]]*\])?$/.exec(
    basename(path, extname(path)),
  );
  if (!day || !found) return undefined;
  const facts = { talkgroup: readTalkgroup(Number(found[2])), talkgroupLabel: readText(found[3]) };
  return {
    facts: withoutUnset({ ...facts, unit: readCount(Number(found[4])) }),
    startMs: localTime(day[0], found[1]!),
    isEncrypted: false,
    isComplete: false,
  };
}

/** These programs run on this device and write its local time. */
function localTime(day: string, time: string): number | undefined {
  const [year, month, date] = [day.slice(0, 4), day.slice(4, 6), day.slice(6)].map(Number) as [number, number, number];
  const [hour, minute, second] = [time.slice(0, 2), time.slice(2, 4), time.slice(4)].map(Number);
  return timeFromEpoch(new Date(year, month - 1, date, hour, minute, second).getTime() / 1_000)?.ms;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null;
const isSet = (value: unknown): boolean => value === true || value === 1;
const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && value > 0 && value <= Number.MAX_SAFE_INTEGER ? Math.round(value) : undefined;
const readTalkgroup = (value: unknown): number | undefined => {
  const count = readCount(value);
  return count !== undefined && count <= largestTalkgroup ? count : undefined;
};
const readText = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value.trim().slice(0, longestText) : undefined;

const withoutUnset = (facts: { readonly [Name in keyof CallFacts]: CallFacts[Name] | undefined }): CallFacts =>
  Object.fromEntries(Object.entries(facts).filter(([, value]) => value !== undefined));
