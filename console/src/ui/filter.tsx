interface FilterProps {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}

interface FilterSelectProps extends FilterProps {
  /** Where what is chosen says it all. */
  readonly bare?: boolean;
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

/** One thing by which a list is narrowed; it acts at once. */
export function FilterSelect({ label, value, options, onChange, bare = false }: FilterSelectProps) {
  return (
    <label class={value === '' ? 'filter' : 'filter set'}>
      <span class={bare ? 'unseen' : 'filter-label'}>{label}</span>
      <select class="input" dir="auto" onChange={({ currentTarget }) => onChange(currentTarget.value)}>
        {options.map((option) => (
          <option key={option.value} value={option.value} selected={option.value === value}>
            {option.label}
          </option>
        ))}
      </select>
    </label>
  );
}

interface FilterDateProps extends FilterProps {
  readonly type: 'date' | 'datetime-local';
}

export function FilterDate({ label, value, type, onChange }: FilterDateProps) {
  return (
    <label class={value === '' ? 'filter' : 'filter set'}>
      <span class="filter-label">{label}</span>
      <input class="input" type={type} value={value} onChange={({ currentTarget }) => onChange(currentTarget.value)} />
    </label>
  );
}
