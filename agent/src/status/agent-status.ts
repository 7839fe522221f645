import { join } from 'node:path';
import type { AgentConfig, Source } from '../config.ts';

/** What a running agent tells about itself, in a file that `earshot-agent status` reads. Contains no secret. */
export interface AgentStatus {
  readonly writtenDate: string;
  readonly startedDate: string;
  readonly processID: number;
  readonly version: string;
  /** The SHA-256 of the program that runs. */
  readonly sha256?: string | undefined;
  readonly deviceSerial: string;
  readonly server: string;
  /** False if an event stopped the recording. */
  readonly isRecording: boolean;
  readonly upload: 'requested' | 'atOnce';
  readonly sources: readonly SourceStatus[];
  readonly recordings: RecordingCounts;
  /** Missing if the platform was not reached since the start. */
  readonly lastReachedDate?: string | undefined;
  /** How far the clock of the device is ahead of the platform's. */
  readonly clockErrorMs?: number | undefined;
  /** What does not work now. */
  readonly faults: readonly AgentFault[];
  readonly lastError?: { readonly date: string; readonly message: string } | undefined;
}

export interface SourceStatus {
  readonly name: string;
  /** The end of its newest recording. */
  readonly lastSoundDate?: string | undefined;
}

export interface RecordingCounts {
  readonly notAnnounced: number;
  readonly notUploaded: number;
  readonly setAside: number;
  /** The first of them. */
  readonly setAsideFiles: readonly SetAsideFile[];
}

interface SetAsideFile {
  readonly path: string;
  readonly reason: string;
  readonly sinceDate: string;
}

export interface AgentFault {
  /** What failed, such as `watching /srv/calls`. */
  readonly what: string;
  readonly reason: string;
  readonly sinceDate: string;
}

/** The part of an entry of the journal that is counted. */
export interface CountedEntry {
  readonly path: string;
  readonly startMs: number;
  readonly durationMs?: number | undefined;
  readonly isOwn: boolean;
  readonly clipID?: number | undefined;
  readonly isUploaded: boolean;
  readonly removedBecause?: string | undefined;
  readonly setAside?: { readonly reason: string; readonly sinceMs: number } | undefined;
}

const mostNamed = 5;

/** For people; without the name, the password and the query of an address, which may be secret. */
export function nameSource(source: Source): string {
  if (source.kind === 'folder') return `folder ${source.path}`;
  const input = source.input.at(-1) ?? '';
  if (source.input.includes('alsa')) return `sound card ${input}`;
  const { protocol, host, pathname } = new URL(input);
  return `stream ${protocol}//${host}${pathname}`;
}

/** One pass over the journal, because it may be long. */
export function countRecordings(
  { sources, folder }: Pick<AgentConfig, 'sources' | 'folder'>,
  entries: Iterable<CountedEntry>,
): Pick<AgentStatus, 'sources' | 'recordings'> {
  const isOf = describePaths(sources, folder);
  const lastEndMs = sources.map(() => -Infinity);
  let [notAnnounced, notUploaded, setAside] = [0, 0, 0];
  const setAsideFiles: SetAsideFile[] = [];
  for (const entry of entries) {
    const at = isOf.findIndex((isOfSource) => isOfSource(entry));
    if (at >= 0) lastEndMs[at] = Math.max(lastEndMs[at]!, entry.startMs + (entry.durationMs ?? 0));
    if (entry.isUploaded || entry.removedBecause !== undefined) continue;
    if (entry.setAside) {
      setAside += 1;
      const { reason, sinceMs } = entry.setAside;
      if (setAsideFiles.length < mostNamed)
        setAsideFiles.push({ path: entry.path, reason, sinceDate: showDate(sinceMs) ?? '' });
    } else if (entry.clipID === undefined) notAnnounced += 1;
    else notUploaded += 1;
  }
  return {
    sources: sources.map((source, at) => ({ name: nameSource(source), lastSoundDate: showDate(lastEndMs[at]!) })),
    recordings: { notAnnounced, notUploaded, setAside, setAsideFiles },
  };
}

/** Clocks of recorders can be anything; a moment that is no date is left out. */
const showDate = (ms: number): string | undefined => (Math.abs(ms) <= 8.64e15 ? new Date(ms).toISOString() : undefined);

/** The agent names its own recordings `<start>-<number of the sound card or stream>.wav`. */
function describePaths(sources: readonly Source[], folder: string): ((entry: CountedEntry) => boolean)[] {
  const own = join(folder, 'sound/');
  let captures = 0;
  return sources.map((source) => {
    if (source.kind === 'folder') {
      const start = join(source.path, '/');
      return ({ path }) => path.startsWith(start);
    }
    const end = `-${captures}.wav`;
    captures += 1;
    return ({ path, isOwn }) => isOwn && path.startsWith(own) && path.endsWith(end);
  });
}
