import type { RuleAction } from '@earshot/contract/rule-parts';
import { mostActions } from '@earshot/contract/rule-parts';
import { useRef } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { ActionFields } from './action-fields.tsx';
import { SentencePart, SmallSelect } from './part.tsx';
import { RuleProblem } from './problems.tsx';
import type { RuleNames } from '@earshot/contract/rule-sentence';

interface ActionsPartProps {
  readonly actions: readonly RuleAction[];
  readonly names: RuleNames;
  /** Who is told if nobody is named. */
  readonly owner: string;
  /** Of a rule about a state, which has no clips. */
  readonly isOfState: boolean;
  readonly onChange: (actions: RuleAction[]) => void;
}

const actionTexts: readonly (readonly [RuleAction['action'], string])[] = [
  ['notify', 'tell'],
  ['runPreset', 'run a preset'],
  ['requestUpload', 'request the sound'],
  ['lock', 'lock the clip'],
  ['tag', 'tag the clip'],
];

const ofClips: ReadonlySet<string> = new Set(['requestUpload', 'lock', 'tag']);

/** ": tell me, lock the clip". */
export function ActionsPart({ actions, names, owner, isOfState, onChange }: ActionsPartProps) {
  const root = useRef<HTMLDivElement>(null);
  const focusSoon = (selector: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(selector)?.focus());
  const texts = isOfState ? actionTexts.filter(([name]) => !ofClips.has(name)) : actionTexts;
  const add = () => {
    const unused = texts.find(([name]) => !actions.some(({ action }) => action === name))?.[0] ?? 'notify';
    onChange([...actions, { action: unused }]);
    focusSoon('.rule-action:nth-last-child(1 of .rule-action) select');
  };
  const remove = (at: number) => {
    onChange(actions.toSpliced(at, 1));
    focusSoon('.rule-add button');
  };
  return (
    <SentencePart word="then" label="Actions">
      <div class="rule-times" ref={root}>
        {actions.length === 0 && <span class="rule-any">only note it in the list of matches</span>}
        {actions.map((action, at) => (
          <div key={at} class="rule-action" role="group" aria-label={`Action ${at + 1}`}>
            <SmallSelect
              label="Action"
              value={action.action}
              options={actionTexts.filter((text) => texts.includes(text) || text[0] === action.action)}
              onChange={(name) => onChange(actions.with(at, { action: name }))}
            />
            <ActionFields
              action={action}
              path={`actions[${at}]`}
              names={names}
              owner={owner}
              onChange={(next) => onChange(actions.with(at, next))}
            />
            <Button small kind="quiet" icon="close" label={`Remove action ${at + 1}`} onClick={() => remove(at)} />
            <RuleProblem path={`actions[${at}].action`} />
          </div>
        ))}
        {actions.length < mostActions && (
          <span class="rule-add">
            <Button small kind="quiet" icon="add" onClick={add}>
              Add an action
            </Button>
          </span>
        )}
      </div>
    </SentencePart>
  );
}
