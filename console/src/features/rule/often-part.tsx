import type { RuleAtLeast } from '@earshot/contract/rule-parts';
import { longestWindowSeconds, mostInWindow } from '@earshot/contract/rule-parts';
import { useState } from 'preact/hooks';
import { NumberInput, SentencePart, SmallSelect } from './part.tsx';
import { RuleProblem, useInvalid } from './problems.tsx';

interface OftenPartProps {
  readonly atLeast: RuleAtLeast | undefined;
  readonly onChange: (atLeast: RuleAtLeast | undefined) => void;
}

const units = [
  ['1', 'seconds'],
  ['60', 'minutes'],
  ['3600', 'hours'],
] as const;
type Unit = (typeof units)[number][0];

/** The largest unit in which the time is a whole number. */
const unitOf = (seconds: number): Unit =>
  units.findLast(([unit]) => seconds > 0 && seconds % Number(unit) === 0)?.[0] ?? '1';

/** "each time", or "at least 2 times within 3 minutes on one device". */
export function OftenPart({ atLeast, onChange }: OftenPartProps) {
  const [chosen, setUnit] = useState<Unit>();
  const within = useInvalid('atLeast.withinSeconds');
  const count = useInvalid('atLeast.count');
  const unit = chosen ?? unitOf(atLeast?.withinSeconds ?? 0);
  const change = (changes: Partial<RuleAtLeast>) =>
    onChange({ ...(atLeast ?? { count: 2, withinSeconds: 180 }), ...changes });
  return (
    <SentencePart word="how often" label="Count">
      <SmallSelect
        label="How often"
        value={atLeast ? 'often' : 'once'}
        options={[
          ['once', 'each time'],
          ['often', 'at least'],
        ]}
        onChange={(value) => (value === 'once' ? onChange(undefined) : change({}))}
      />
      {atLeast && (
        <>
          <NumberInput
            label="How many times"
            value={atLeast.count}
            min={1}
            max={mostInWindow}
            wiring={count}
            onChange={(value) => change({ count: value ?? 1 })}
          />
          <span class="rule-word">times within</span>
          <NumberInput
            label="Within"
            value={atLeast.withinSeconds / Number(unit)}
            min={1}
            max={longestWindowSeconds / Number(unit)}
            wiring={within}
            onChange={(value) => change({ withinSeconds: Math.round((value ?? 1) * Number(unit)) })}
          />
          <SmallSelect
            label="Unit of time"
            value={unit}
            options={units}
            onChange={(next) => {
              setUnit(next);
              change({ withinSeconds: Math.round((atLeast.withinSeconds / Number(unit)) * Number(next)) });
            }}
          />
          <SmallSelect
            label="Counted"
            value={atLeast.acrossDevices ? 'all' : 'one'}
            options={[
              ['one', 'on one device'],
              ['all', 'on all devices together'],
            ]}
            onChange={(value) => change({ acrossDevices: value === 'all' })}
          />
        </>
      )}
      <RuleProblem path="atLeast" isDeep />
    </SentencePart>
  );
}
