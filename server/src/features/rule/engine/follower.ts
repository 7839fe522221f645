import type { Db } from '../../../platform/database/connect.ts';
import type { RefusedAct } from './acts.ts';
import type { StoredMatch } from './match-queries.ts';
import type { EngineRule } from './rule-index.ts';

/** What one transaction of the engine has found. */
export interface JudgedMatches {
  /** The enabled rules. */
  readonly rules: ReadonlyMap<number, EngineRule>;
  /** Matches that are new, there again after they were withdrawn, or at another place. */
  readonly written: readonly StoredMatch[];
  /** Keys of matches that do not hold any more. */
  readonly withdrawn: readonly number[];
  /** Keys of matches of states that have ended. */
  readonly ended: readonly number[];
  readonly refused: readonly RefusedAct[];
  /** The clips that have changed. */
  readonly clips: readonly number[];
  /** A sweep also finds clips of before the rule's last change, with which nothing is done. */
  readonly onlyNewClips: boolean;
  /** Whether the judgement of the clip, or of the device, waited when the backup was made that was restored. */
  readonly isRestored: (match: Pick<StoredMatch, 'audioClipID' | 'deviceID'>) => boolean;
}

/** Groups matches into alerts and acts on these, in the transaction that found the matches. */
export interface MatchFollower {
  /** Returns the devices that got work. */
  follow(tx: Db, judged: JudgedMatches): Promise<readonly number[]>;
  /** Called after the commit: polls for these devices may be waiting. */
  wake(deviceIDs: readonly number[]): void;
}
