import type { DeviceState, StateLimit } from '@earshot/contract/rule-limits';
import { stateLimits, usualStateLimits } from '@earshot/contract/rule-limits';
import type { ConditionProps } from './condition-row.tsx';
import { NumberInput } from './part.tsx';
import { RuleProblem, useInvalid } from './problems.tsx';

export const deviceStateTexts: readonly (readonly [DeviceState, string])[] = [
  ['offline', 'is offline'],
  ['neverConnected', 'has never connected'],
  ['lowBattery', 'has a battery'],
  ['fullDisk', 'has its disk used'],
  ['failedEvents', 'has failed events'],
  ['failedUploads', 'has failed uploads'],
  ['differentSettings', 'differs from its settings'],
];

export const isState = (kind: string): kind is DeviceState => deviceStateTexts.some(([state]) => state === kind);

const limitWords: Readonly<Record<StateLimit, readonly [before: string, unit: string, label: string]>> = {
  afterMinutes: ['after', 'minutes', 'After, minutes'],
  belowPercent: ['below', '%', 'Below, percent'],
  abovePercent: ['above', '%', 'Above, percent'],
  failureCount: ['at least', '', 'At least, failures'],
  withinHours: ['within', 'hours', 'Within, hours'],
};

/** From when on a device is in the state; what is empty is as usual. */
export function StateLimits({ when, path, state, onChange }: ConditionProps & { readonly state: DeviceState }) {
  const own = stateLimits.filter((limit) => usualStateLimits[state][limit] !== undefined);
  return (
    <>
      {own.map((limit) => (
        <Limit key={limit} when={when} path={path} state={state} limit={limit} onChange={onChange} />
      ))}
      <RuleProblem path={`${path}.state`} />
    </>
  );
}

interface LimitProps extends ConditionProps {
  readonly state: DeviceState;
  readonly limit: StateLimit;
}

function Limit({ when, path, state, limit, onChange }: LimitProps) {
  const [before, unit, label] = limitWords[limit];
  const { [limit]: value, ...others } = when;
  return (
    <span class="rule-bound">
      <span class="rule-word">{before}</span>
      <NumberInput
        label={label}
        value={value}
        min={0}
        step="any"
        placeholder={String(usualStateLimits[state][limit])}
        wiring={useInvalid(`${path}.${limit}`)}
        onChange={(next) => onChange(next === undefined ? others : { ...others, [limit]: next })}
      />
      {unit && <span class="rule-word">{unit}</span>}
      <RuleProblem path={`${path}.${limit}`} />
    </span>
  );
}
