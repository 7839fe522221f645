import type { ComponentChildren } from 'preact';

interface PartProps {
  /** How the part of the sentence begins. */
  readonly word: string;
  readonly label: string;
  readonly children: ComponentChildren;
}

/** A part of the sentence: its first word, and its controls. */
export function SentencePart({ word, label, children }: PartProps) {
  return (
    <div class="rule-part" role="group" aria-label={label}>
      <span class="rule-lead" aria-hidden="true">
        {word}
      </span>
      <div class="rule-controls">{children}</div>
    </div>
  );
}

interface SmallSelectProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, text: string])[];
  readonly onChange: (value: Value) => void;
}

/** A choice within the sentence. */
export function SmallSelect<Value extends string>({ label, value, options, onChange }: SmallSelectProps<Value>) {
  return (
    <select
      class="input rule-input"
      aria-label={label}
      value={value}
      onChange={({ currentTarget }) => onChange(currentTarget.value as Value)}
    >
      {options.map(([key, text]) => (
        <option key={key} value={key}>
          {text}
        </option>
      ))}
    </select>
  );
}

interface NumberInputProps {
  readonly label: string;
  readonly value: number | undefined;
  readonly min?: number;
  readonly max?: number;
  readonly step?: number | 'any';
  readonly placeholder?: string;
  readonly onChange: (value: number | undefined) => void;
  readonly wiring?: { readonly 'aria-invalid': 'true' | undefined; readonly 'aria-describedby': string };
}

/** A number within the sentence; empty is none. */
export function NumberInput({ label, value, onChange, wiring, ...limits }: NumberInputProps) {
  return (
    <input
      {...wiring}
      {...limits}
      class="input rule-input rule-number"
      type="number"
      aria-label={label}
      value={value ?? ''}
      onInput={({ currentTarget }) => {
        const number = currentTarget.valueAsNumber;
        // "-" on the way to "-30" is no number yet.
        if (Number.isNaN(number) && currentTarget.validity.badInput) return;
        onChange(Number.isNaN(number) ? undefined : number);
      }}
    />
  );
}
