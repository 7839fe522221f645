import type { ComponentChildren } from 'preact';
import { useId, useState } from 'preact/hooks';
import { useProblem } from './form.tsx';

interface FieldProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly optional?: boolean;
}

interface Wiring {
  readonly id: string;
  readonly name: string;
  readonly 'aria-describedby': string;
  readonly 'aria-invalid': 'true' | undefined;
}

/** Label, error text and hint of an input. */
function Field({
  name,
  label,
  hint,
  optional,
  children,
}: FieldProps & { children: (wiring: Wiring) => ComponentChildren }) {
  const id = useId();
  const problem = useProblem(name);
  const wiring: Wiring = {
    id,
    name,
    'aria-describedby': `${id}-problem ${id}-hint`,
    'aria-invalid': problem ? 'true' : undefined,
  };
  return (
    <div class="field">
      <label for={id}>
        {label}
        {optional && <span class="optional"> optional</span>}
      </label>
      {children(wiring)}
      <p id={`${id}-problem`} class="problem" hidden={!problem}>
        {problem}
      </p>
      <p id={`${id}-hint`} class="hint" hidden={!hint}>
        {hint}
      </p>
    </div>
  );
}

/** The JSX types allow different attributes for each input type; we use only attributes that all types allow. */
const typeOf = (type: string) => ({ type }) as { readonly type: 'text' };

interface TextFieldProps extends FieldProps {
  readonly type?: 'text' | 'email' | 'number' | 'search' | 'time';
  readonly value?: string;
  readonly maxLength?: number;
  readonly min?: number;
  readonly placeholder?: string;
  /** Suggestions. */
  readonly list?: readonly string[];
  readonly autoComplete?: string;
  /** An identifier: no automatic capitals or spelling correction. */
  readonly code?: boolean;
  readonly focused?: boolean;
  readonly onInput?: (value: string) => void;
}

export function TextField({
  type = 'text',
  value,
  code,
  focused,
  onInput,
  list,
  autoComplete = 'off',
  ...field
}: TextFieldProps) {
  return (
    <Field {...field}>
      {(wiring) => (
        <>
          <input
            {...wiring}
            class={code ? 'input code' : 'input'}
            {...typeOf(type)}
            defaultValue={value ?? ''}
            required={!field.optional}
            maxLength={field.maxLength}
            min={field.min}
            placeholder={field.placeholder}
            autoComplete={autoComplete}
            autoCapitalize={code || type === 'email' ? 'none' : undefined}
            spellcheck={code || type === 'email' ? false : undefined}
            autofocus={focused ?? false}
            dir={type === 'number' ? undefined : 'auto'}
            list={list && `${wiring.id}-list`}
            onInput={({ currentTarget }) => onInput?.(currentTarget.value)}
          />
          {list && (
            <datalist id={`${wiring.id}-list`}>
              {list.map((text) => (
                <option key={text} value={text} />
              ))}
            </datalist>
          )}
        </>
      )}
    </Field>
  );
}

interface AreaProps extends FieldProps {
  readonly value?: string;
  readonly rows?: number;
  readonly code?: boolean;
  readonly maxLength?: number;
}

export function TextArea({ value, rows = 3, code, ...field }: AreaProps) {
  return (
    <Field {...field}>
      {(wiring) => (
        <textarea
          {...wiring}
          class={code ? 'input code' : 'input'}
          rows={rows}
          defaultValue={value ?? ''}
          required={!field.optional}
          maxLength={field.maxLength}
          spellcheck={!code}
          dir="auto"
        />
      )}
    </Field>
  );
}

interface PasswordProps extends FieldProps {
  readonly isNew?: boolean;
}

const least = 8;

export function PasswordField({ isNew = false, ...field }: PasswordProps) {
  const [shown, setShown] = useState(false);
  const [length, setLength] = useState(0);
  const rule = `At least ${least} characters. A short phrase works well.`;
  const hint = isNew ? (length >= least ? `✓ ${rule}` : rule) : undefined;
  return (
    <Field {...field} {...(hint ? { hint } : {})}>
      {(wiring) => (
        <div class="with-button">
          <input
            {...wiring}
            class="input"
            {...typeOf(shown ? 'text' : 'password')}
            required
            data-exact
            autoComplete={isNew ? 'new-password' : 'current-password'}
            autoCapitalize="none"
            spellcheck={false}
            onInput={({ currentTarget }) => setLength(currentTarget.value.length)}
          />
          <button
            class="button quiet small"
            type="button"
            aria-pressed={shown}
            aria-label="Show the password"
            onClick={() => setShown(!shown)}
          >
            {shown ? 'Hide' : 'Show'}
          </button>
        </div>
      )}
    </Field>
  );
}

interface SelectProps extends FieldProps {
  readonly options: readonly { readonly value: string; readonly label: string; readonly group?: string }[];
  readonly value?: string;
  readonly onChange?: (value: string) => void;
}

export function SelectField({ options, value = '', onChange, ...field }: SelectProps) {
  const groups = [...new Set(options.map(({ group }) => group ?? ''))];
  const inGroup = (name: string) =>
    options
      .filter(({ group = '' }) => group === name)
      .map((option) => (
        <option key={option.value} value={option.value} selected={option.value === value}>
          {option.label}
        </option>
      ));
  return (
    <Field {...field}>
      {(wiring) => (
        <select
          {...wiring}
          class="input"
          required={!field.optional}
          onChange={({ currentTarget }) => onChange?.(currentTarget.value)}
        >
          {groups.map((name) =>
            name === '' ? (
              inGroup(name)
            ) : (
              <optgroup key={name} label={name}>
                {inGroup(name)}
              </optgroup>
            ),
          )}
        </select>
      )}
    </Field>
  );
}

interface CheckProps {
  readonly name: string;
  readonly label: string;
  readonly hint?: ComponentChildren;
  readonly checked?: boolean;
}

export function CheckField({ name, label, hint, checked = false }: CheckProps) {
  const id = useId();
  return (
    <div class="check">
      <input id={id} name={name} type="checkbox" defaultChecked={checked} aria-describedby={`${id}-hint`} />
      <div>
        <label for={id}>{label}</label>
        <p id={`${id}-hint`} class="hint" hidden={!hint}>
          {hint}
        </p>
      </div>
    </div>
  );
}
