import type { RuleTrialResults, TrialMatch } from '@earshot/contract/rule-trial';
import { useEffect, useState } from 'preact/hooks';
import { api, errorMessage, statusOf } from '../../lib/api.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { isFilled } from './condition.ts';
import type { RuleDraft } from './draft.ts';
import type { FieldProblem } from './field-problem.ts';
import { ruleProblems } from './refusal.ts';

export type TrialState =
  /** Nothing to try yet. */
  | { readonly is: 'empty' }
  | { readonly is: 'running' }
  | { readonly is: 'found'; readonly results: RuleTrialResults; readonly matches: readonly TrialMatch[] }
  /** The rule is wrong; the problems are shown at its parts. */
  | { readonly is: 'wrong'; readonly problems: readonly FieldProblem[] }
  /** Another trial of this person, such as in another tab, ended this one. */
  | { readonly is: 'ended' }
  | { readonly is: 'failed'; readonly message: string };

export interface RuleTry {
  readonly state: TrialState;
  /** The former results, while the next ones are awaited. */
  readonly former: Extract<TrialState, { is: 'found' }> | undefined;
  readonly isRunning: boolean;
  readonly again: () => void;
  readonly more: () => Promise<void>;
}

const typingMs = 350;
const firstCount = 10;
const moreCount = 100;
const conflict = 409;

/** The parts of a rule that decide what it finds. */
const triedPart = ({ where, when, atLeast, activeTimes, groupSeconds, ...others }: RuleDraft): RuleDraft => ({
  ...others,
  ruleName: 'Trial',
  ...(where ? { where } : {}),
  when,
  ...(atLeast ? { atLeast } : {}),
  ...(activeTimes ? { activeTimes } : {}),
  ...(groupSeconds === undefined ? {} : { groupSeconds }),
});

const isTriable = ({ when }: RuleDraft): boolean => typeof when === 'object' && when !== null && isFilled(when);

/** Tries the rule on the last 30 days while it is written. What is typed next cancels the trial before. */
export function useTrial(draft: RuleDraft): RuleTry {
  const [state, setState] = useState<TrialState>({ is: 'empty' });
  const [former, setFormer] = useState<RuleTry['former']>();
  const [round, setRound] = useState(0);
  const tried = isTriable(draft) ? JSON.stringify(triedPart(draft)) : '';
  useEffect(() => {
    if (tried === '') {
      setFormer(undefined);
      return setState({ is: 'empty' });
    }
    const stopping = new AbortController();
    setState({ is: 'running' });
    const run = async () => {
      const next = await runTrial(tried, 0, firstCount, stopping.signal);
      if (stopping.signal.aborted) return;
      setState(next);
      setFormer(next.is === 'found' ? next : undefined);
    };
    const timer = setTimeout(() => void run(), typingMs);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [tried, round]);
  const more = async () => {
    if (state.is !== 'found') return;
    const next = await runTrial(tried, state.matches.length, moreCount, new AbortController().signal);
    if (next.is !== 'found') return setState(next);
    const nameOf = ({ audioClipID, deviceID, startTime }: (typeof state.matches)[number]): string =>
      audioClipID === undefined ? `${deviceID} ${startTime}` : String(audioClipID);
    const known = new Set(state.matches.map(nameOf));
    const added = next.matches.filter((match) => !known.has(nameOf(match)));
    setState({ ...state, matches: [...state.matches, ...added] });
  };
  return { state, former, isRunning: state.is === 'running', again: () => setRound(round + 1), more };
}

async function runTrial(tried: string, offset: number, limit: number, signal: AbortSignal): Promise<TrialState> {
  const body = { rule: JSON.parse(tried) as RuleDraft, timeZone: viewerZone(), offset, limit };
  try {
    const results = await api.tryRule({ body }, { signal });
    return { is: 'found', results, matches: results.matches };
  } catch (error) {
    const problems = ruleProblems(error);
    if (problems.length > 0) return { is: 'wrong', problems };
    return statusOf(error) === conflict ? { is: 'ended' } : { is: 'failed', message: errorMessage(error) };
  }
}
