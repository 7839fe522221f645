import type { RuleTrialResults } from '@earshot/contract/rule-trial';
import { usualTrialDays } from '@earshot/contract/rule-trial';
import { useState } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { dayText, viewerZone } from '../../lib/ui/clock.ts';
import { Empty, Section } from '../../lib/ui/elements.tsx';
import { searchWordsOf } from './condition.ts';
import type { RuleDraft } from './draft.ts';
import { FoundClipRow } from './found-clip.tsx';
import { FoundStateRow } from './found-state.tsx';
import { DayBars } from './histogram.tsx';
import type { RuleNames } from '@earshot/contract/rule-sentence';
import type { RuleTry } from './trial.ts';

interface TrialPanelProps {
  readonly draft: RuleDraft;
  readonly trial: RuleTry;
  readonly names: RuleNames;
}

/** What the rule would have found, beside it while it is written. */
export function TrialPanel({ draft, trial, names }: TrialPanelProps) {
  const { state, former, isRunning, again } = trial;
  const shown = state.is === 'found' ? state : former;
  return (
    <Section title={`Tried on the last ${usualTrialDays} days`} bare>
      <div class={isRunning ? 'card trial running' : 'card trial'}>
        <p class="trial-count" role="status">
          {isRunning ? 'Trying…' : state.is === 'found' ? countText(state.results, draft.when.state !== undefined) : ''}
        </p>
        {state.is === 'empty' && (
          <Empty icon="search" title="Nothing to try yet">
            Write the words that you want to be told of. The clips that are here already are searched while you type.
          </Empty>
        )}
        {state.is === 'wrong' && (
          <Empty icon="alert">The rule cannot be tried yet. What is missing is written at its place.</Empty>
        )}
        {state.is === 'ended' && (
          <Empty icon="repeat" title="This trial was ended" action={<Button onClick={again}>Try again</Button>}>
            You have one trial at a time, and another one of yours has begun, for example in another tab.
          </Empty>
        )}
        {state.is === 'failed' && (
          <Empty icon="alert" title="Could not try the rule" action={<Button onClick={again}>Try again</Button>}>
            {state.message}
          </Empty>
        )}
        {shown && (state.is === 'found' || isRunning) && (
          <Found shown={shown} draft={draft} names={names} onMore={isRunning ? undefined : trial.more} />
        )}
      </div>
    </Section>
  );
}

const number = (count: number): string => count.toLocaleString('en-GB');

function countText({ total, isExact, alertCount }: RuleTrialResults, isOfState: boolean): string {
  const noun = isOfState ? 'time' : 'clip';
  const clips = total === 1 ? `1 ${noun}` : `${number(total)} ${noun}s`;
  const alerts = alertCount === 1 ? '1 alert' : `${number(alertCount)} alerts`;
  return isExact ? `${clips} in ${alerts}` : `More than ${clips}; the newest of them in ${alerts}`;
}

interface FoundProps extends Pick<TrialPanelProps, 'draft' | 'names'> {
  readonly shown: NonNullable<RuleTry['former']>;
  readonly onMore: (() => Promise<void>) | undefined;
}

function Found({ shown: { results, matches }, draft, names, onMore }: FoundProps) {
  const [isLoading, setLoading] = useState(false);
  const words = searchWordsOf(draft.when);
  const isOfState = draft.when.state !== undefined;
  const more = async () => {
    setLoading(true);
    await onMore?.();
    setLoading(false);
  };
  return (
    <>
      {results.total > 0 && <DayBars days={results.days} />}
      <Limits results={results} isOfState={isOfState} />
      {matches.length === 0 ? (
        <Empty title="It would have found nothing">
          Once it is saved, it watches what comes.{!isOfState && ' Fewer words, or “or”, find more.'}
        </Empty>
      ) : (
        <ol class="hits">
          {matches.map((match) =>
            match.audioClipID === undefined ? (
              <FoundStateRow
                key={`${match.deviceID} ${match.startTime}`}
                clip={match}
                deviceName={names.device(match.deviceID)}
              />
            ) : (
              <FoundClipRow
                key={match.audioClipID}
                clip={match}
                deviceName={names.device(match.deviceID)}
                words={words}
              />
            ),
          )}
        </ol>
      )}
      {onMore && matches.length > 0 && matches.length < results.total && (
        <div class="more">
          <Button busy={isLoading} onClick={() => void more()}>
            Show more
          </Button>
        </div>
      )}
    </>
  );
}

const dayMs = 86_400_000;

interface LimitsProps {
  readonly results: RuleTrialResults;
  readonly isOfState: boolean;
}

/** From when on the result is whole. */
function Limits({ results: { knownSince, countedSince }, isOfState }: LimitsProps) {
  const zone = viewerZone();
  const day = (date: string) => dayText(Date.parse(date), zone);
  // Facts that were recorded for longer limit nothing.
  const isLate = knownSince !== undefined && Date.parse(knownSince) > Date.now() - usualTrialDays * dayMs;
  return (
    <>
      {countedSince !== undefined && <p class="hint trial-limit">Counted since {day(countedSince)}.</p>}
      {isLate && (
        <p class="hint trial-limit">
          What the rule asks for is recorded since {day(knownSince)}:{' '}
          {isOfState ? 'how devices were before is unknown.' : 'of older clips it is unknown, so they do not match.'}
        </p>
      )}
    </>
  );
}
