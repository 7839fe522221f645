import type { RuleMatch } from '@earshot/contract/rule-match';
import { durationText } from '@earshot/contract/duration-text';
import { dayAndTime } from '../../lib/ui/clock.ts';

/** When the sound was made, arrived, was transcribed, judged and told: each with the time since the one before. */
export function MatchSteps({ match }: { readonly match: RuleMatch }) {
  const { startTime = 0, startTimeMs = 0, arrivedDate, transcribedDate, judgedDate, toldDate } = match;
  const dated = [
    ['Sound made', startTime * 1_000 + startTimeMs],
    ['arrived', timeOf(arrivedDate)],
    ['transcribed', timeOf(transcribedDate)],
    ['judged', timeOf(judgedDate)],
    ['told', timeOf(toldDate)],
  ] as const;
  const known = dated.flatMap(([text, ms]) => (ms === undefined ? [] : [{ text, ms }]));
  return (
    <ol class="match-steps" aria-label="Timeline">
      {known.map(({ text, ms }, at) => {
        const since = at === 0 ? 0 : ms - (known[at - 1]?.ms ?? ms);
        return (
          <li key={text}>
            <span>{text}</span> <time dateTime={new Date(ms).toISOString()}>{dayAndTime(ms)}</time>
            {at > 0 && since >= 0 && <span class="quiet"> +{durationText(since)}</span>}
          </li>
        );
      })}
    </ol>
  );
}

const timeOf = (date: string | undefined): number | undefined => (date === undefined ? undefined : Date.parse(date));
