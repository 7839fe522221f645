import type { RuleSeverity } from '@earshot/contract/rule';
import { mostQuieting, ruleSeverities } from '@earshot/contract/rule';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import { useContext } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { PickList } from '../../lib/ui/filter-pick.tsx';
import { Chips } from './chips.tsx';
import { allRules } from './data.ts';
import type { RuleDraft } from './draft.ts';
import { NumberInput, SentencePart, SmallSelect } from './part.tsx';
import { RuleProblem, RuleProblems, useInvalid } from './problems.tsx';
import { severityTexts } from './severity.ts';

interface DraftProps {
  readonly draft: RuleDraft;
  readonly onChange: (changes: Partial<RuleDraft>) => void;
}

/** Name and severity: what people read first when they are told. */
export function NamePart({ draft, onChange }: DraftProps) {
  return (
    <div class="rule-name">
      <label class="field rule-name-field">
        <span class="copy-label">Name</span>
        <input
          {...useInvalid('ruleName')}
          class="input"
          name="ruleName"
          value={draft.ruleName}
          maxLength={shortTextLength}
          placeholder="Fire at night"
          dir="auto"
          autoComplete="off"
          onInput={({ currentTarget }) => onChange({ ruleName: currentTarget.value })}
        />
        <RuleProblem path="ruleName" />
      </label>
      <label class="field">
        <span class="copy-label">Severity</span>
        <SmallSelect<RuleSeverity>
          label="Severity"
          value={draft.severity ?? 'info'}
          options={ruleSeverities.map((name) => [name, severityTexts[name]] as const)}
          onChange={(severity) => onChange({ severity })}
        />
        <RuleProblem path="severity" />
      </label>
    </div>
  );
}

interface MoreProps extends DraftProps {
  /** Of the rule itself, if it is stored. */
  readonly ruleID: number | undefined;
  readonly ownerID: number | undefined;
}

const laterParts = ['groupSeconds', 'mostPerHour', 'quietedBy', 'ruleDescription'];
const minuteSeconds = 60;

/** How alerts are grouped and limited, and what quiets the rule. Open while something in it is wrong. */
export function MorePart({ draft, ruleID, ownerID, onChange }: MoreProps) {
  const problems = useContext(RuleProblems);
  const isWrong = problems.some(({ path }) => laterParts.some((part) => path.startsWith(part)));
  const quietedBy = draft.quietedBy ?? [];
  const { data: rules = [] } = useQuery(allRules);
  const others = rules.filter(({ key, userID }) => key !== ruleID && userID === ownerID);
  const nameOfRule = (key: number) => others.find((rule) => rule.key === key)?.ruleName ?? `rule ${key}`;
  return (
    <details class="rule-more" open={isWrong || undefined}>
      <summary>Alerts, limits and description</summary>
      <SentencePart word="One alert" label="Grouping">
        <span class="rule-word">for matches at most</span>
        <NumberInput
          label="Minutes between matches of one alert"
          value={(draft.groupSeconds ?? 0) / minuteSeconds}
          min={0}
          step="any"
          wiring={useInvalid('groupSeconds')}
          onChange={(minutes) => onChange({ groupSeconds: Math.round((minutes ?? 0) * minuteSeconds) })}
        />
        <span class="rule-word">minutes apart</span>
        <RuleProblem path="groupSeconds" />
      </SentencePart>
      <SentencePart word="Act" label="Limit">
        <span class="rule-word">on at most</span>
        <NumberInput
          label="Most alerts of an hour"
          value={draft.mostPerHour}
          min={1}
          wiring={useInvalid('mostPerHour')}
          onChange={(mostPerHour) => onChange({ mostPerHour: mostPerHour ?? 1 })}
        />
        <span class="rule-word">alerts of an hour; the others are recorded silently</span>
        <RuleProblem path="mostPerHour" />
      </SentencePart>
      <SentencePart word="Silent" label="Quieted by">
        <span class="rule-word">while an alert is open of</span>
        {quietedBy.length === 0 && <span class="rule-any">no other rule</span>}
        <Chips
          label="Rules that quiet it"
          word="or"
          entries={quietedBy.map((key, at) => ({
            id: String(key),
            text: nameOfRule(key),
            path: `quietedBy[${at}]`,
            drop: () => onChange({ quietedBy: quietedBy.toSpliced(at, 1) }),
          }))}
        >
          {quietedBy.length < mostQuieting && others.length > quietedBy.length && (
            <PickList
              label="Add a rule that quiets it"
              text="Rule…"
              options={others
                .filter(({ key = 0 }) => !quietedBy.includes(key))
                .map(({ key, ruleName = '' }) => ({ value: String(key), label: ruleName }))}
              onPick={(value) => onChange({ quietedBy: [...quietedBy, Number(value)] })}
            />
          )}
        </Chips>
        <RuleProblem path="quietedBy" />
      </SentencePart>
      <label class="field">
        <span class="copy-label">
          Description<span class="optional"> optional</span>
        </span>
        <textarea
          {...useInvalid('ruleDescription')}
          class="input"
          rows={2}
          maxLength={longTextLength}
          dir="auto"
          value={draft.ruleDescription ?? ''}
          onInput={({ currentTarget }) => onChange({ ruleDescription: currentTarget.value })}
        />
        <RuleProblem path="ruleDescription" />
      </label>
    </details>
  );
}
