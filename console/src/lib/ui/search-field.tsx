import { useEffect, useRef } from 'preact/hooks';
import { Icon } from './icon.tsx';

interface SearchFieldProps {
  readonly label: string;
  readonly value: string;
  readonly focused?: boolean;
  readonly onSearch: (text: string) => void;
}

const typingMs = 150;

/** Filters a list while typing. The key `f` focuses it. */
export function SearchField({ label, value, focused = false, onSearch }: SearchFieldProps) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    if (focused) input.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer.current);
  }, []);
  useEffect(() => {
    if (input.current && document.activeElement !== input.current) input.current.value = value;
  }, [value]);
  const typed = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onSearch(text.trim()), typingMs);
  };
  return (
    <div class="search" role="search">
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        data-search
        aria-label={label}
        placeholder={label}
        defaultValue={value}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        onInput={({ currentTarget }) => typed(currentTarget.value)}
        onKeyDown={({ key, currentTarget }) => {
          if (key !== 'Escape') return;
          currentTarget.value = '';
          currentTarget.blur();
          onSearch('');
        }}
      />
      <kbd aria-hidden="true">f</kbd>
    </div>
  );
}
