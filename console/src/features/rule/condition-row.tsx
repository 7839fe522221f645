import type { RuleWhen } from '@earshot/contract/rule-when';
import { tagNameLength } from '@earshot/contract/tag';
import { searchTextLength } from '@earshot/contract/values';
import { useContext, useId, useLayoutEffect, useRef } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { allTags } from '../audio-clip/public.ts';
import type { ConditionKind, ConditionRange } from '@earshot/contract/rule-condition';
import { isRange, conditionKind } from '@earshot/contract/rule-condition';
import { newCondition } from './condition.ts';
import { NumberInput, SmallSelect } from './part.tsx';
import { FreshEntry, RuleProblem, useInvalid } from './problems.tsx';
import { isState, StateLimits, deviceStateTexts } from './state-condition.tsx';
import { rangeWords } from '@earshot/contract/rule-sentence';
import { WordForms } from './word-forms.tsx';

export interface ConditionProps {
  readonly when: RuleWhen;
  readonly path: string;
  readonly onChange: (when: RuleWhen) => void;
}

const kindTexts: readonly (readonly [ConditionKind, string])[] = [
  ['words', 'says'],
  ['tagName', 'has the tag'],
  ['anySound', 'has any sound'],
  ['speechSeconds', 'has speech'],
  ['lengthSeconds', 'lasts'],
  ['levelDb', 'has a level'],
  ['clippedPercent', 'is clipped'],
];

/** A state is the whole condition of a rule. */
const wholeTexts = [...kindTexts, ...deviceStateTexts];

/** One condition: its kind, and what it asks for. */
export function ConditionRow({ when, path, onChange }: ConditionProps) {
  const kind = when.state ?? conditionKind(when);
  const root = useRef<HTMLSpanElement>(null);
  const fresh = useContext(FreshEntry);
  useLayoutEffect(() => {
    if (fresh.current !== when) return;
    fresh.current = undefined;
    root.current?.querySelector<HTMLElement>('input, select')?.focus();
  }, []);
  return (
    <span class="rule-condition" ref={root}>
      <SmallSelect
        label="Condition"
        value={kind}
        options={path === 'when' ? wholeTexts : kindTexts}
        onChange={(next) => onChange(isState(next) ? { state: next } : newCondition(next))}
      />
      {kind === 'words' && <Words when={when} path={`${path}.words`} onChange={onChange} />}
      {kind === 'tagName' && <TagName when={when} path={path} onChange={onChange} />}
      {kind === 'anySound' && <RuleProblem path={`${path}.anySound`} />}
      {isState(kind) && <StateLimits when={when} path={path} state={kind} onChange={onChange} />}
      {!isState(kind) && isRange(kind) && (
        <Range when={when} path={`${path}.${kind}`} kind={kind} onChange={onChange} />
      )}
    </span>
  );
}

function Words({ when, path, onChange }: ConditionProps) {
  const { words = '' } = when;
  return (
    <>
      <input
        {...useInvalid(path)}
        class="input rule-input rule-words"
        aria-label="Words"
        placeholder="structure fire, or in quotes"
        value={words}
        maxLength={searchTextLength}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange({ words: currentTarget.value })}
      />
      <RuleProblem path={path} />
      <WordForms words={words} />
    </>
  );
}

function TagName({ when, path, onChange }: ConditionProps) {
  const { data: tags = [] } = useQuery(allTags);
  const list = useId();
  const { tagName = '', minConfidence } = when;
  return (
    <>
      <input
        {...useInvalid(`${path}.tagName`)}
        class="input rule-input"
        aria-label="Tag"
        placeholder="siren"
        value={tagName}
        list={list}
        maxLength={tagNameLength}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => onChange({ ...when, tagName: currentTarget.value })}
      />
      <datalist id={list}>
        {tags.map((tag) => (
          <option key={tag.key} value={tag.tagName} />
        ))}
      </datalist>
      <span class="rule-word">with at least</span>
      <NumberInput
        label="Least confidence in percent"
        value={minConfidence}
        min={0}
        max={100}
        placeholder="0"
        wiring={useInvalid(`${path}.minConfidence`)}
        onChange={(value) => onChange({ tagName, ...(value === undefined ? {} : { minConfidence: value }) })}
      />
      <span class="rule-word">%</span>
      <RuleProblem path={`${path}.tagName`} />
      <RuleProblem path={`${path}.minConfidence`} />
    </>
  );
}

const rangeNames: Readonly<Record<ConditionRange, string>> = {
  speechSeconds: 'seconds of speech',
  lengthSeconds: 'seconds',
  levelDb: 'level in dBFS',
  clippedPercent: 'percent of clipped samples',
};

function Range({ when, path, kind, onChange }: ConditionProps & { readonly kind: ConditionRange }) {
  const range = when[kind] ?? {};
  const wiring = useInvalid(path);
  const set = (end: 'min' | 'max', value: number | undefined) => {
    const { [end]: _former, ...others } = range;
    onChange({ [kind]: value === undefined ? others : { ...others, [end]: value } });
  };
  return (
    <>
      {(['min', 'max'] as const).map((end) => (
        <span key={end} class="rule-bound">
          <span class="rule-word">{end === 'min' ? 'at least' : 'at most'}</span>
          <NumberInput
            label={`${end === 'min' ? 'At least, ' : 'At most, '}${rangeNames[kind]}`}
            value={range[end]}
            step="any"
            wiring={wiring}
            onChange={(value) => set(end, value)}
          />
          <span class="rule-word">{rangeWords[kind][2]}</span>
        </span>
      ))}
      <RuleProblem path={path} isDeep />
    </>
  );
}
