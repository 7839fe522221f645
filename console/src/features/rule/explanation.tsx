import type { Rule } from '@earshot/contract/rule';
import type { ExplainedPart } from '@earshot/contract/rule-trial';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { useQuery } from '../../lib/query.ts';
import { api } from '../../lib/api.ts';
import type { Tone } from '../../lib/ui/elements.tsx';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { isNegated, partText } from './explained.ts';
import { useRuleNames } from './names.ts';
import type { RuleNames } from '@earshot/contract/rule-sentence';

type Explanation = Awaited<ReturnType<typeof api.explainRule>>;

/** A clip, or a device at a time. */
type Explained = { readonly audioClipID: number } | { readonly deviceID: number; readonly time: number };

const explanationOf = (ruleID: number, explained: Explained): Query<Explanation> => ({
  key: `rule explained ${ruleID} ${JSON.stringify(explained)}`,
  load: () => api.explainRule({ body: { ruleID, ...explained } }),
});

type ExplanationProps = { readonly rule: Rule } & Explained;

/** Which part of a rule is true of a clip, with the values of the clip now, or of a device at a time. */
export function Explanation({ rule, ...explained }: ExplanationProps) {
  const explanation = useQuery(explanationOf(rule.key ?? 0, explained));
  const names = useRuleNames();
  return (
    <div class="explanation">
      <WhenLoaded from={explanation} rows={2}>
        {({ isMatch, outcome, parts }) => (
          <>
            <p role="status">
              <strong>
                {'deviceID' in explained
                  ? stateVerdict(isMatch)
                  : isMatch
                    ? 'The rule matches this clip.'
                    : verdicts[outcome]}
              </strong>
            </p>
            <ul class="explained">
              {parts.map((part) => (
                <PartRow key={part.path} part={part} rule={rule} names={names} />
              ))}
            </ul>
          </>
        )}
      </WhenLoaded>
    </div>
  );
}

const stateVerdict = (isMatch: boolean): string =>
  isMatch ? 'The rule matched this device at that time.' : 'The rule did not match this device at that time.';

const verdicts = {
  true: 'The clip satisfies the rule, but not often enough.',
  false: 'The rule does not match this clip.',
  unknown: 'Not known yet: something that the rule asks for is missing.',
} as const;

const outcomes: Readonly<Record<ExplainedPart['outcome'], readonly [tone: Tone, text: string]>> = {
  true: ['good', 'True'],
  false: ['bad', 'False'],
  unknown: ['warn', 'Not known'],
};

interface PartRowProps {
  readonly part: ExplainedPart;
  readonly rule: Rule;
  readonly names: RuleNames;
}

function PartRow({ part: { path, outcome, value, reason }, rule, names }: PartRowProps) {
  // Of what must not be, the opposite is told: "It does not say harbour: true".
  const told = isNegated(path) && outcome !== 'unknown' ? (outcome === 'true' ? 'false' : 'true') : outcome;
  const [tone, text] = outcomes[told];
  return (
    <li>
      <Badge tone={tone}>{text}</Badge>
      <span>
        <UserText text={partText(rule, path, names)} />
        {value !== undefined && (
          <span class="explained-value">
            <UserText text={value} />
          </span>
        )}
        {reason !== undefined && <span class="quiet"> {reason}</span>}
      </span>
    </li>
  );
}
