import { Badge, UserText } from '../../lib/ui/elements.tsx';
import type { ShownAct } from './act-text.ts';
import { actText } from './act-text.ts';
import type { RuleNames } from '@earshot/contract/rule-sentence';

interface ActsProps {
  readonly acts: readonly ShownAct[];
  readonly names: RuleNames;
}

/** What a rule did, or why it did not. */
export function Acts({ acts, names }: ActsProps) {
  if (acts.length === 0) return null;
  return (
    <ul class="acts" aria-label="What was done">
      {acts.map((act, at) => (
        <li key={at}>
          <Badge tone={act.refusal === undefined ? 'good' : 'bad'}>
            {act.eventID === undefined ? (
              <UserText text={actText(act, names)} />
            ) : (
              <a href={`/events/${act.eventID}`}>
                <UserText text={actText(act, names)} />
              </a>
            )}
          </Badge>
          {act.refusal !== undefined && (
            <span>
              not done: <UserText text={act.refusal} />
            </span>
          )}
        </li>
      ))}
    </ul>
  );
}
