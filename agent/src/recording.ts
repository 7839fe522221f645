import type { CallFacts } from './radio-call.ts';

/** To read or to send more bytes takes long: it is done beside the other recordings. */
export const largeBytes = 33_554_432;

/** The bytes of a file, as far as they tell one recording from another. */
export interface RecordedContent {
  readonly bytes: number;
  readonly modifiedMs: number;
  /**
   * When anything about the file changed last, which nobody can set: a hint that its bytes may be others. Undefined for
   * files of this agent, and in entries of agents that did not keep it.
   */
  readonly changedMs?: number | undefined;
  /** Undefined only in entries of agents before 0.2. */
  readonly sha256?: string | undefined;
  /** Of the last bytes: a file that grew still has them at their place. */
  readonly tailSha256?: string | undefined;
  /** Undefined if it is not known. */
  readonly durationMs?: number | undefined;
}

export interface FinishedRecording extends RecordedContent {
  /** As `file-name.ts` writes paths. */
  readonly path: string;
  /** Unique on this device, in the journal. */
  readonly startMs: number;
  /** Whether this agent made the file, so that it may remove it. */
  readonly isOwn: boolean;
  /** What a recorder of a radio system wrote about it. */
  readonly call?: CallFacts | undefined;
  /** The clip of what this file was before it grew, if that was uploaded. */
  readonly grownFromClipID?: number | undefined;
}

/** A recording as it was found. */
export interface FoundRecording extends FinishedRecording {
  /** Its file is that of a known recording, with more bytes. */
  readonly hasGrown?: boolean;
}

/** The platform refused it; it is tried again later. */
export interface SetAsideNote {
  readonly reason: string;
  readonly sinceMs: number;
  readonly triedMs: number;
  /** The versions that refused it; others may not. */
  readonly agentVersion: string;
  readonly serverVersion?: string | undefined;
}

export interface OtherFile {
  readonly path: string;
  readonly modifiedMs: number;
  readonly changedMs?: number | undefined;
}

/** A recording in the journal. */
export interface Entry extends FinishedRecording {
  /** The path, or if an earlier recording had the same path, the path with a number after a NUL. */
  readonly id: string;
  /** The start that was read, before it was moved by milliseconds. */
  readonly givenStartMs: number;
  /** Further files with the same bytes and the same start. */
  readonly otherFiles?: readonly OtherFile[] | undefined;
  readonly clipID?: number | undefined;
  /** The address of an upload that has begun. */
  readonly uploadUrl?: string | undefined;
  readonly isUploaded: boolean;
  /** Whether the platform has proven that it has the sound. Not set by agents before 0.2. */
  readonly isProven?: boolean | undefined;
  readonly removedBecause?: string | undefined;
  readonly setAside?: SetAsideNote | undefined;
}

/** Whether a file with this content is the file of the entry. */
export const hasSameContent = (entry: RecordedContent, found: RecordedContent): boolean =>
  entry.sha256 === undefined || found.sha256 === undefined
    ? entry.bytes === found.bytes && entry.modifiedMs === found.modifiedMs
    : entry.sha256 === found.sha256;

/** All files of a recording; usually it has one. */
export const filesOf = ({ path, modifiedMs, changedMs, otherFiles = [] }: Entry): readonly OtherFile[] => [
  { path, modifiedMs, changedMs },
  ...otherFiles,
];

/** Whether the file at this path looks as it did when its content was read. */
export const isUnchanged = (
  entry: Entry,
  { path, bytes, modifiedMs }: OtherFile & Pick<RecordedContent, 'bytes'>,
): boolean =>
  entry.bytes === bytes && filesOf(entry).some((file) => file.path === path && file.modifiedMs === modifiedMs);

/** Whether a file that is unchanged by size and date may have other bytes all the same. */
export function isSuspect(entry: Entry, { path, changedMs }: OtherFile): boolean {
  const formerMs = filesOf(entry).find((file) => file.path === path)?.changedMs;
  return formerMs !== undefined && formerMs !== changedMs;
}
