import type { Rule } from '@earshot/contract/rule';
import type { RuleMatch } from '@earshot/contract/rule-match';
import { useState } from 'preact/hooks';
import { Badge } from '../../lib/ui/elements.tsx';
import { Acts } from './acts.tsx';
import { Explanation } from './explanation.tsx';
import { FoundClipRow } from './found-clip.tsx';
import { FoundStateRow } from './found-state.tsx';
import { MatchSteps } from './steps.tsx';
import type { RuleNames } from '@earshot/contract/rule-sentence';

interface MatchRowProps {
  readonly match: RuleMatch;
  readonly words: string;
  /** With it the match can be explained. */
  readonly rule?: Rule | undefined;
  readonly names: RuleNames;
  /** On the page of the alert there is no link to it. */
  readonly isInAlert?: boolean;
}

/** A clip or a state that a rule found, with what was done and why. */
export function MatchRow({ match, words, rule, names, isInAlert = false }: MatchRowProps) {
  const [isOpen, setOpen] = useState(false);
  const { state, alertID, audioClipID, deviceID = 0, startTime = 0 } = match;
  const explained = audioClipID === undefined ? { deviceID, time: startTime + 1 } : { audioClipID };
  const Row = audioClipID === undefined ? FoundStateRow : FoundClipRow;
  // What was done once for the alert is on its page, in the order of time.
  const acts = (match.acts ?? []).filter(({ action }) => !isInAlert || action === 'lock' || action === 'tag');
  return (
    <Row
      clip={match}
      deviceName={match.deviceName ?? names.device(match.deviceID ?? 0)}
      words={words}
      under={
        <>
          {state === 'withdrawn' && <Badge tone="idle">Withdrawn: it does not hold any more</Badge>}
          {alertID !== undefined && !isInAlert && <a href={`/alerts/${alertID}`}>Alert {alertID}</a>}
          <button type="button" class="link-button" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
            {isOpen ? 'Hide why' : 'Why, and when'}
          </button>
        </>
      }
    >
      <Acts acts={acts} names={names} />
      {isOpen && (
        <>
          <MatchSteps match={match} />
          {rule && <Explanation rule={rule} {...explained} />}
        </>
      )}
    </Row>
  );
}
