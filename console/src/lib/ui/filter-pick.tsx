import { useId, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { UserText } from './elements.tsx';
import type { PickOption } from './find-options.ts';
import { findOptions } from './find-options.ts';
import { FilterSelect } from './filter.tsx';
import { Icon } from './icon.tsx';

interface FilterPickProps {
  readonly label: string;
  readonly value: string;
  /** The text for no choice. */
  readonly all: string;
  readonly options: readonly PickOption[];
  readonly onChange: (value: string) => void;
}

/** Longer lists are searched within. */
const mostInSelect = 30;

/** A filter with any number of options: a plain list, or a list with a search field when it is long. */
export function FilterPick({ label, value, all, options, onChange }: FilterPickProps) {
  if (options.length <= mostInSelect) {
    return (
      <FilterSelect label={label} value={value} options={[{ value: '', label: all }, ...options]} onChange={onChange} />
    );
  }
  const chosen = options.find((option) => option.value === value);
  return (
    <div class={value === '' ? 'filter' : 'filter set'}>
      <span class="filter-label" aria-hidden="true">
        {label}
      </span>
      <PickList
        label={label}
        text={chosen?.label ?? all}
        options={[{ value: '', label: all }, ...options]}
        value={value}
        onPick={onChange}
      />
    </div>
  );
}

interface PickListProps {
  readonly label: string;
  /** The text on the button. */
  readonly text: string;
  readonly value?: string;
  readonly options: readonly PickOption[];
  readonly onPick: (value: string) => void;
}

const mostShown = 50;

/** A button that opens a list of limited height with a search field. */
export function PickList({ label, text, value = '', options, onPick }: PickListProps) {
  const [isOpen, setOpen] = useState(false);
  const [typed, setTyped] = useState('');
  const root = useRef<HTMLDivElement>(null);
  const button = useRef<HTMLButtonElement>(null);
  const id = useId();
  useLayoutEffect(() => {
    if (!isOpen) return;
    root.current?.querySelector('input')?.focus();
    const closeOutside = (event: Event) => {
      if (event.target instanceof Node && !root.current?.contains(event.target)) setOpen(false);
    };
    document.addEventListener('pointerdown', closeOutside);
    return () => document.removeEventListener('pointerdown', closeOutside);
  }, [isOpen]);
  const close = () => {
    setOpen(false);
    setTyped('');
    button.current?.focus();
  };
  const found = findOptions(options, typed);
  const shown = found.slice(0, mostShown);
  const entries = () => [...(root.current?.querySelectorAll<HTMLElement>('input, .pick-option') ?? [])];
  const move = (event: KeyboardEvent) => {
    if (event.key === 'Escape') close();
    else if (event.key === 'ArrowDown' || event.key === 'ArrowUp') {
      const all = entries();
      const at = all.indexOf(document.activeElement as HTMLElement);
      all.at((at + (event.key === 'ArrowDown' ? 1 : -1)) % all.length)?.focus();
    } else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const pick = (option: PickOption | undefined) => {
    if (!option) return;
    close();
    onPick(option.value);
  };
  return (
    <div class="pick" ref={root} onKeyDown={isOpen ? move : undefined}>
      <button
        class="input pick-button"
        type="button"
        ref={button}
        aria-label={`${label}: ${text}`}
        aria-expanded={isOpen}
        aria-controls={isOpen ? id : undefined}
        onClick={() => setOpen(!isOpen)}
      >
        <UserText text={text} />
      </button>
      {isOpen && (
        <div class="pick-list" id={id}>
          <div class="search">
            <Icon name="search" />
            <input
              class="input"
              type="search"
              aria-label={`Find in ${label}`}
              placeholder={`Find in ${options.length.toLocaleString('en-GB')}`}
              autoComplete="off"
              spellcheck={false}
              dir="auto"
              onInput={({ currentTarget }) => setTyped(currentTarget.value)}
              onKeyDown={({ key }) => key === 'Enter' && pick(shown[0])}
            />
          </div>
          <ul class="pick-options" aria-label={label}>
            {shown.map((option) => (
              <li key={option.value}>
                <button
                  type="button"
                  class="pick-option"
                  aria-pressed={option.value === value}
                  onClick={() => pick(option)}
                >
                  <UserText text={option.label} />
                </button>
              </li>
            ))}
          </ul>
          <p class="pick-more quiet" role="status">
            {found.length === 0
              ? 'No match'
              : found.length > shown.length
                ? `${(found.length - shown.length).toLocaleString('en-GB')} more: type to find them`
                : ''}
          </p>
        </div>
      )}
    </div>
  );
}
