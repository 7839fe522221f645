import type { RuleActiveTime } from '@earshot/contract/rule-parts';
import { mostActiveTimes } from '@earshot/contract/rule-parts';
import type { ComponentChildren } from 'preact';
import { useId, useRef } from 'preact/hooks';
import { Button } from '../../lib/ui/button.tsx';
import { SentencePart } from './part.tsx';
import { RuleProblem, useInvalid } from './problems.tsx';
import { dayNames } from '@earshot/contract/rule-sentence';

interface TimesProps {
  readonly times: readonly RuleActiveTime[];
  readonly onChange: (times: RuleActiveTime[]) => void;
}

/** "at any time", or "Mon–Fri from 22:00 to 06:00". */
export const TimesPart = (props: TimesProps) => (
  <SentencePart word="at" label="Time of day">
    <TimeList
      {...props}
      none="any time"
      addFirst="Only at some times"
      zoneHint="the device’s time"
      start={{ from: '22:00', to: '06:00' }}
    />
  </SentencePart>
);

interface TimeListProps extends TimesProps {
  /** Said while there is no time. */
  readonly none: string;
  readonly addFirst: string;
  /** What an empty time zone means. */
  readonly zoneHint: string;
  /** What is added. */
  readonly start: RuleActiveTime;
}

export function TimeList({ times, onChange, none, addFirst, zoneHint, start }: TimeListProps) {
  const root = useRef<HTMLDivElement>(null);
  const change = (at: number, time: RuleActiveTime) => onChange(times.with(at, time));
  const focusSoon = (selector: string) =>
    requestAnimationFrame(() => root.current?.querySelector<HTMLElement>(selector)?.focus());
  const add = () => {
    onChange([...times, start]);
    focusSoon('.rule-time:nth-last-child(1 of .rule-time) input[type=time]');
  };
  const remove = (at: number) => {
    onChange(times.toSpliced(at, 1));
    focusSoon('.rule-add button');
  };
  return (
    <div class="rule-times" ref={root}>
      {times.length === 0 && <span class="rule-any">{none}</span>}
      {times.map((time, at) => (
        <ActiveTime
          key={at}
          time={time}
          at={at}
          zoneHint={zoneHint}
          onChange={(next) => change(at, next)}
          onRemove={() => remove(at)}
        />
      ))}
      {times.length < mostActiveTimes && (
        <span class="rule-add">
          <Button small kind="quiet" icon="add" onClick={add}>
            {times.length === 0 ? addFirst : 'or at another time'}
          </Button>
        </span>
      )}
    </div>
  );
}

interface ActiveTimeProps {
  readonly time: RuleActiveTime;
  readonly at: number;
  /** What its labels call it. */
  readonly noun?: 'time' | 'duty';
  /** Stands before the days. */
  readonly children?: ComponentChildren;
  readonly zoneHint: string;
  readonly onChange: (time: RuleActiveTime) => void;
  readonly onRemove: () => void;
}

/** Days, a time of day and its zone. */
export function ActiveTime({ time, at, noun = 'time', children, zoneHint, onChange, onRemove }: ActiveTimeProps) {
  const path = `activeTimes[${at}]`;
  const zones = useId();
  const { days = [], from, to, timeZone = '' } = time;
  const toggle = (day: number) =>
    onChange({
      ...time,
      days: days.includes(day) ? days.filter((other) => other !== day) : [...days, day].toSorted((a, b) => a - b),
    });
  const setZone = (zone: string) => {
    const { timeZone: _former, ...others } = time;
    onChange(zone === '' ? others : { ...others, timeZone: zone });
  };
  return (
    <div class="rule-time" role="group" aria-label={`${noun === 'time' ? 'Time' : 'Duty'} ${at + 1}`}>
      {children}
      <span class="rule-days" role="group" aria-label="Days on which it begins; none: every day">
        {dayNames.map((name, index) => (
          <button key={name} type="button" aria-pressed={days.includes(index + 1)} onClick={() => toggle(index + 1)}>
            {name}
          </button>
        ))}
      </span>
      <Clock label="From" value={from} path={`${path}.from`} onChange={(value) => onChange({ ...time, from: value })} />
      <span class="rule-word">to</span>
      <Clock label="To" value={to} path={`${path}.to`} onChange={(value) => onChange({ ...time, to: value })} />
      <input
        {...useInvalid(`${path}.timeZone`)}
        class="input rule-input rule-zone"
        aria-label="Time zone"
        placeholder={zoneHint}
        value={timeZone}
        list={zones}
        autoComplete="off"
        spellcheck={false}
        onChange={({ currentTarget }) => setZone(currentTarget.value.trim())}
      />
      <datalist id={zones}>
        {Intl.supportedValuesOf('timeZone').map((zone) => (
          <option key={zone} value={zone} />
        ))}
      </datalist>
      <Button small kind="quiet" icon="close" label={`Remove ${noun} ${at + 1}`} onClick={onRemove} />
      <RuleProblem path={path} isDeep />
    </div>
  );
}

interface ClockProps {
  readonly label: string;
  readonly value: string;
  readonly path: string;
  readonly onChange: (value: string) => void;
}

function Clock({ label, value, path, onChange }: ClockProps) {
  return (
    <input
      {...useInvalid(path)}
      class="input rule-input rule-clock"
      type="time"
      aria-label={label}
      value={value}
      // Empty while it is typed.
      onInput={({ currentTarget }) => currentTarget.value !== '' && onChange(currentTarget.value)}
    />
  );
}
