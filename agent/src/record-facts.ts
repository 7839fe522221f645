import type { Fact, JournalState } from './journal-state.ts';
import { contentKey, freeId } from './journal-state.ts';
import type { RecordedContent, Entry, FinishedRecording, FoundRecording } from './recording.ts';
import { hasSameContent, isUnchanged } from './recording.ts';

/** The facts that add recordings. Recordings of one call may be the same ones, or have one start, as well. */
export function recordFacts(state: JournalState, recordings: readonly FoundRecording[]): Fact[] {
  const added = new Map<string, FinishedRecording>();
  const paths = new Set<string>();
  const starts = new Set<number>();
  const isTaken = (id: string) => state.entries.has(id);
  return recordings.flatMap(({ hasGrown, ...recording }): Fact[] => {
    const { path, modifiedMs, changedMs, startMs: givenStartMs, sha256 } = recording;
    const file = { path, modifiedMs, changedMs };
    if (paths.has(path)) return [];
    paths.add(path);
    const known = state.findByPath(path);
    if (known && isSame(known, recording)) return factsOfKnown(known, recording);
    if (known && hasGrown && !known.isUploaded) return [{ changed: known.id, content: contentOf(recording) }];
    const facts: Fact[] =
      known?.path === path && known.removedBecause === undefined
        ? [{ removed: known.id, because: hasGrown ? 'grew' : 'replaced' }]
        : [];
    const same = state.findSame(recording);
    if (same) {
      const isThere = same.removedBecause === undefined;
      return [...facts, isThere ? { alsoAt: same.id, ...file } : { moved: same.id, ...file }];
    }
    const key = contentKey(recording, givenStartMs);
    const twin = sha256 === undefined ? undefined : added.get(key);
    if (twin) return [...facts, { alsoAt: freeId(twin.path, isTaken), ...file }];
    added.set(key, recording);
    let startMs = state.nextStarts.get(givenStartMs) ?? givenStartMs;
    while (state.starts.has(startMs) || starts.has(startMs)) startMs += 1;
    starts.add(startMs);
    const id = freeId(path, isTaken);
    const named = { ...(id === path ? {} : { id }), ...(startMs === givenStartMs ? {} : { givenStartMs }) };
    const grown = hasGrown ? { grownFromClipID: known?.clipID } : {};
    return [...facts, { recorded: { ...recording, startMs, ...named, ...grown } }];
  });
}

/** A file that was removed and is there again is another recording if it began at another time, whatever its bytes. */
const isSame = (known: Entry, found: FinishedRecording): boolean =>
  hasSameContent(known, found)
    ? known.removedBecause === undefined || known.givenStartMs === found.startMs
    : isTouched(known, found);

/** Agents before 0.2 kept no hash: the same size and start under the same path are the same recording, whatever its date. */
const isTouched = (known: Entry, found: FinishedRecording): boolean =>
  known.sha256 === undefined && known.bytes === found.bytes && known.givenStartMs === found.startMs;

function factsOfKnown(known: Entry, found: FinishedRecording): Fact[] {
  const { path, modifiedMs, changedMs } = found;
  const file = { path, modifiedMs, changedMs };
  const isThere = known.removedBecause === undefined;
  if (isThere && isUnchanged(known, found)) return [];
  if (known.path === path) return [{ changed: known.id, content: contentOf(found) }];
  return [isThere ? { alsoAt: known.id, ...file } : { moved: known.id, ...file }];
}

const contentOf = ({
  bytes,
  modifiedMs,
  changedMs,
  sha256,
  tailSha256,
  durationMs,
}: RecordedContent): RecordedContent => ({
  bytes,
  modifiedMs,
  changedMs,
  sha256,
  tailSha256,
  durationMs,
});
