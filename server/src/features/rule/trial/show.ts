import type { RuleWhen } from '@earshot/contract/rule-when';
import type { TrialMatch } from '@earshot/contract/rule-trial';
import { containsTerms } from '@earshot/contract/words/public';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { loadHits, showMatches } from '../../caption-search/public.ts';
import { positiveConditions, readWhen } from '../core/when.ts';

export type ShownText = Pick<TrialMatch, 'fromMs' | 'toMs' | 'text'>;

/** Words that are further apart are not one place in the clip. */
const longestPauseMs = 5_000;

/** What is said in clips where they match, read from the clips that the caller may read now. */
export async function showTexts(
  db: Db,
  caller: Caller,
  when: RuleWhen,
  keys: readonly number[],
): Promise<ReadonlyMap<number, ShownText>> {
  if (keys.length === 0) return new Map();
  const conditions = positiveConditions(readWhen(when)).flatMap((condition) =>
    condition.kind === 'words' ? [condition.terms] : [],
  );
  const hits = await loadHits(db, caller, keys);
  return new Map(
    hits.map((hit) => {
      const terms = conditions.find((each) => containsTerms(hit.transcript, each)) ?? [];
      const { snippet, matches } = showMatches(hit, terms);
      const last = matches.findIndex(
        ({ endMs }, at) => (matches[at + 1]?.startMs ?? Number.MAX_SAFE_INTEGER) - endMs > longestPauseMs,
      );
      const place = matches[0] ? { fromMs: matches[0].startMs, toMs: matches[last]?.endMs ?? matches[0].endMs } : {};
      return [hit.key, { ...(snippet === '' ? {} : { text: snippet }), ...place }];
    }),
  );
}
