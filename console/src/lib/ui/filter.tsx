import type { ComponentChildren } from 'preact';
import { useId } from 'preact/hooks';
import { isDay } from './calendar.ts';
import { DayPicker } from './day-picker.tsx';

interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface FilterSelectProps extends FilterProps {
  /** Hides the label visually. */
  readonly bare?: boolean;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

interface FilterFrameProps {
  /** Of the input. */
  readonly id: string;
  readonly label: string;
  readonly isSet: boolean;
  readonly bare?: boolean;
  readonly children: ComponentChildren;
}

function Filter({ id, label, isSet, bare = false, children }: FilterFrameProps) {
  return (
    <div class={isSet ? 'filter set' : 'filter'}>
      <label class={bare ? 'unseen' : 'filter-label'} for={id}>
        {label}
      </label>
      {children}
    </div>
  );
}

/** A filter of a list. It applies immediately. */
export function FilterSelect({ label, value, options, onChange, bare = false }: FilterSelectProps) {
  const id = useId();
  return (
    <Filter id={id} label={label} isSet={value !== ''} bare={bare}>
      <select class="input" id={id} dir="auto" onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </Filter>
  );
}

interface FilterDateProps extends FilterProps {
  readonly type: 'date' | 'datetime-local';
}

export function FilterDate({ label, value, type, onChange }: FilterDateProps) {
  const id = useId();
  return (
    <Filter id={id} label={label} isSet={value !== ''}>
      {type === 'date' ? (
        <DayPicker id={id} label={label} value={isDay(value) ? value : ''} onChange={onChange} />
      ) : (
        <input
          class="input"
          id={id}
          type={type}
          value={value}
          onChange={({ currentTarget }) => onChange(currentTarget.value)}
        />
      )}
    </Filter>
  );
}

interface FilterTextProps extends FilterProps {
  readonly placeholder: string;
  readonly maxLength: number;
}

/** Applies on Enter, and when the focus leaves it. */
export function FilterText({ label, value, placeholder, maxLength, onChange }: FilterTextProps) {
  const id = useId();
  return (
    <Filter id={id} label={label} isSet={value !== ''}>
      <input
        class="input"
        id={id}
        type="search"
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        value={value}
        placeholder={placeholder}
        maxLength={maxLength}
        onChange={({ currentTarget }) => onChange(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => key === 'Enter' && onChange(currentTarget.value)}
      />
    </Filter>
  );
}
