import { randomUUID } from 'node:crypto';
import type { Pool } from '../../../platform/database/connect.ts';
import type { TranscribedPart } from '../../../platform/listening/engine.ts';
import type { HeardSoFar, RunKey } from './part-queries.ts';
import { addPart, beginRun, claimRun } from './part-queries.ts';
import { markDoubtful } from '../segments.ts';

export interface PartSaver {
  /** Drops what is not saved and returns what is, from all attempts: the next part begins there. */
  restart(): HeardSoFar;
  /** Keeps a part until the next save. */
  add(part: TranscribedPart): void;
  hasUnsaved(): boolean;
  /** `lost` if another worker has taken over. A part that could not be saved is kept for the next save. */
  save(): Promise<'saved' | 'lost'>;
  /** Resolves when no save is in progress. */
  settled(): Promise<unknown>;
}

const nothing: HeardSoFar = { heardUntilMs: 0, language: undefined, segments: [] };

/** Continues the run of an earlier attempt, if there is one. A clip whose parts are never saved costs one statement. */
export async function openPartSaver(db: Pool, run: RunKey): Promise<PartSaver> {
  const holder = randomUUID();
  const begun = await claimRun(db, run, holder);
  let [saved, isBegun, isLost] = [begun ?? nothing, begun !== undefined, false];
  let unsaved: TranscribedPart | undefined;
  let saving: Promise<unknown> = Promise.resolve();

  const saveUnsaved = async (): Promise<'saved' | 'lost'> => {
    const part = unsaved;
    if (isLost) return 'lost';
    if (!part || part.untilMs <= saved.heardUntilMs) return 'saved';
    const marked = { ...part, segments: markDoubtful(part.segments) };
    try {
      isLost = !(await (isBegun ? addPart(db, run, holder, marked) : beginRun(db, run, holder, marked)));
    } catch {
      // The database may be away for a moment. If it stays away, the write of the result fails with the reason.
      return 'saved';
    }
    if (isLost) return 'lost';
    isBegun = true;
    saved = {
      heardUntilMs: part.untilMs,
      language: saved.language ?? part.language,
      segments: [...saved.segments, ...part.segments],
    };
    unsaved = unsaved === part ? undefined : without(unsaved, part);
    return 'saved';
  };

  return {
    restart() {
      unsaved = undefined;
      return saved;
    },
    add(part) {
      unsaved = unsaved ? { ...part, segments: [...unsaved.segments, ...part.segments] } : part;
    },
    hasUnsaved: () => unsaved !== undefined,
    save() {
      const result = saving.then(saveUnsaved);
      saving = result;
      return result;
    },
    settled: () => saving,
  };
}

/** What was added while the part before was being saved. */
const without = (all: TranscribedPart | undefined, part: TranscribedPart): TranscribedPart | undefined =>
  all && { ...all, segments: all.segments.slice(part.segments.length) };
