import { searchTextLength } from '@earshot/contract/values';
import { useEffect, useRef } from 'preact/hooks';
import { setQuery } from '../../lib/location.ts';
import { Icon } from '../../lib/ui/icon.tsx';

const typingMs = 180;

/** Searches while typing, and writes the search text to the address. */
export function TranscriptSearchField({ value }: { readonly value: string }) {
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  useEffect(() => {
    // Not on a phone, where the on-screen keyboard would cover the results.
    if (value === '' || matchMedia('(hover: hover)').matches) input.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer.current);
  }, []);
  useEffect(() => {
    const field = input.current;
    if (field && field.value.trim() !== value) field.value = value;
  }, [value]);
  const search = (text: string) => setQuery({ q: text.trim() });
  const typed = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => search(text), typingMs);
  };
  return (
    <form
      class="search transcript-search"
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        clearTimeout(timer.current);
        search(input.current?.value ?? '');
      }}
    >
      <Icon name="search" />
      <input
        ref={input}
        class="input"
        type="search"
        data-search-transcripts
        aria-label="Search transcripts"
        placeholder="Search transcripts"
        defaultValue={value}
        maxLength={searchTextLength}
        dir="auto"
        autoComplete="off"
        spellcheck={false}
        enterKeyHint="search"
        onInput={({ currentTarget }) => typed(currentTarget.value)}
      />
      <kbd aria-hidden="true">/</kbd>
    </form>
  );
}
