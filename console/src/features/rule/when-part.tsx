import type { RuleWhen } from '@earshot/contract/rule-when';
import { deepestGroups } from '@earshot/contract/rule-when';
import { useContext, useRef } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import type { ConditionGroup, GroupName } from '@earshot/contract/rule-condition';
import { groupOf } from '@earshot/contract/rule-condition';
import { butNot, depthOf, joined, withEntry } from './condition.ts';
import { ConditionRow } from './condition-row.tsx';
import { SentencePart } from './part.tsx';
import { FreshEntry, RuleProblem } from './problems.tsx';

interface WhenPartProps {
  readonly when: RuleWhen;
  readonly onChange: (when: RuleWhen) => void;
}

const emptyCondition = (): RuleWhen => ({ words: '' });

/** "says “structure fire” or says “working fire”": conditions, joined by "or" and "and", at most three groups deep. */
export function WhenPart({ when, onChange }: WhenPartProps) {
  const root = useRef<HTMLDivElement>(null);
  const fresh = useContext(FreshEntry);
  const add = (grown: (entry: RuleWhen) => RuleWhen) => {
    const entry = emptyCondition();
    fresh.current = entry;
    onChange(grown(entry));
  };
  const remove = (next: RuleWhen) => {
    onChange(next);
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>('.rule-add:last-child button')?.focus());
  };
  return (
    <SentencePart word="it" label={when.state ? 'How the device is' : 'What is said and heard'}>
      <div class="rule-when" ref={root}>
        <Entry
          when={when}
          path="when"
          depth={0}
          inside={undefined}
          onChange={onChange}
          onAdd={onChange}
          onRemove={remove}
        />
        {!when.state && (
          <span class="rule-add">
            <Adders when={when} add={add} />
          </span>
        )}
        <RuleProblem path="when" />
      </div>
    </SentencePart>
  );
}

interface AddersProps {
  readonly when: RuleWhen;
  readonly add: (grown: (entry: RuleWhen) => RuleWhen) => void;
}

/** What may follow the whole condition. */
function Adders({ when, add }: AddersProps) {
  const name = groupOf(when)?.name;
  const mayWrap = depthOf(when) < deepestGroups;
  return (
    <>
      {(name === 'any' || mayWrap) && (
        <Button
          small
          kind="quiet"
          icon="add"
          label="Add a condition with or"
          onClick={() => add((entry) => joined(when, 'any', entry))}
        >
          or
        </Button>
      )}
      {(name === 'all' || mayWrap) && (
        <Button
          small
          kind="quiet"
          icon="add"
          label="Add a condition with and"
          onClick={() => add((entry) => joined(when, 'all', entry))}
        >
          and
        </Button>
      )}
      {depthOf(butNot(when, emptyCondition())) <= deepestGroups && (
        <Button
          small
          kind="quiet"
          icon="add"
          label="Add a condition with but not"
          onClick={() => add((entry) => butNot(when, entry))}
        >
          but not
        </Button>
      )}
    </>
  );
}

interface EntryProps {
  readonly when: RuleWhen;
  readonly path: string;
  /** The groups around it. */
  readonly depth: number;
  readonly inside: GroupName | undefined;
  readonly onChange: (when: RuleWhen) => void;
  /** A changed entry that contains a new condition. */
  readonly onAdd: (when: RuleWhen) => void;
  readonly onRemove: (when: RuleWhen) => void;
}

const words: Readonly<Record<GroupName, string>> = { all: 'and', any: 'or', none: 'or' };
const groupLabels: Readonly<Record<GroupName, string>> = {
  all: 'All of these',
  any: 'Any of these',
  none: 'None of these',
};

function Entry({ when, path, depth, inside, ...on }: EntryProps) {
  const group = groupOf(when);
  if (!group) return <ConditionRow when={when} path={path} onChange={on.onChange} />;
  return (
    <div class={depth === 0 ? 'rule-group' : 'rule-group inner'} role="group" aria-label={groupLabels[group.name]}>
      {group.name === 'none' && <span class="rule-word">{inside === 'all' ? 'but not' : 'not'}</span>}
      {group.entries.map((entry, at) => (
        <Member
          key={at}
          group={group}
          at={at}
          entry={entry}
          path={`${path}.${group.name}[${at}]`}
          depth={depth}
          on={on}
        />
      ))}
      <RuleProblem path={`${path}.${group.name}`} />
    </div>
  );
}

interface MemberProps {
  readonly group: ConditionGroup;
  readonly at: number;
  readonly entry: RuleWhen;
  readonly path: string;
  readonly depth: number;
  readonly on: Pick<EntryProps, 'onChange' | 'onAdd' | 'onRemove'>;
}

/** An entry of a group, with the word before it, and what joins or removes it. */
function Member({ group, at, entry, path, depth, on }: MemberProps) {
  const fresh = useContext(FreshEntry);
  const name = words[group.name];
  // Within "or" an entry can be narrowed by "and", within "and" widened by "or".
  const other: GroupName = group.name === 'all' ? 'any' : 'all';
  const mayWrap = groupOf(entry) === undefined && depth + 1 < deepestGroups;
  const replaced = (next: RuleWhen | undefined): RuleWhen => withEntry(group, at, next) ?? emptyCondition();
  const extend = () => {
    const added = emptyCondition();
    fresh.current = added;
    on.onAdd(replaced(joined(entry, groupOf(entry)?.name ?? other, added)));
  };
  const inner = groupOf(entry);
  return (
    <div class="rule-member">
      {at > 0 && !(inner?.name === 'none') && <span class="rule-word">{name}</span>}
      <Entry
        when={entry}
        path={path}
        depth={depth + 1}
        inside={group.name}
        onChange={(next) => on.onChange(replaced(next))}
        onAdd={(next) => on.onAdd(replaced(next))}
        onRemove={(next) => on.onRemove(replaced(next))}
      />
      {(inner || mayWrap) && (
        <Button small kind="quiet" icon="add" label={`Add ${words[inner?.name ?? other]} to this`} onClick={extend}>
          {words[inner?.name ?? other]}
        </Button>
      )}
      {!inner && (
        <Button
          small
          kind="quiet"
          icon="close"
          label={`Remove condition ${at + 1}`}
          onClick={() => on.onRemove(replaced(undefined))}
        />
      )}
    </div>
  );
}
