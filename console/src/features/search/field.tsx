import { searchTextLength } from '@earshot/contract/values';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { setQuery } from '../../lib/location.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import type { SearchState } from './address.ts';
import { writeQuery } from './address.ts';
import type { Typed, TypedOption } from './typed.ts';
import { optionsOf, readTyped, typedProblem } from './typed.ts';
import { useKnown } from './use-known.ts';

const typingMs = 180;
const mostOffered = 8;

/** Searches while typing, and writes the search to the address. Typed filters become chips. */
export function TranscriptSearchField({ search }: { readonly search: SearchState }) {
  const value = search.searchText;
  const form = useRef<HTMLFormElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const known = useKnown(search);
  const [pending, setPending] = useState<Typed>();
  const [problem, setProblem] = useState('');
  useLayoutEffect(() => {
    // Not on a phone, where the on-screen keyboard would cover the results.
    if (value === '' || matchMedia('(hover: hover)').matches) input.current?.focus({ preventScroll: true });
    return () => clearTimeout(timer.current);
  }, []);
  useEffect(() => {
    const field = input.current;
    if (field && readTyped(field.value, true).rest !== value) field.value = value;
  }, [value]);
  // An address may contain typed filters, such as one from the palette.
  useEffect(() => {
    if (known && readTyped(value, true).filters.length > 0) read(value, true);
  }, [known === undefined, value]);

  /** Makes chips of the filters of the text, and searches for the rest. */
  const read = (text: string, isDone: boolean) => {
    clearTimeout(timer.current);
    const { rest, filters, pending: last } = readTyped(text, isDone);
    setPending(last);
    if (!known) return setQuery({ q: text.trim() });
    const unknown = filters.find((typed) => optionsOf(typed, known).length === 0);
    setProblem(unknown ? typedProblem(unknown) : '');
    const options = filters.flatMap((typed) => optionsOf(typed, known).slice(0, 1));
    apply(options, rest, unknown || last ? undefined : /\s$/.test(text) && rest !== '' ? `${rest} ` : rest);
  };
  const apply = (options: readonly TypedOption[], rest: string, shown: string | undefined) => {
    const changed = options.reduce((state, option) => option.apply(state), { ...search, searchText: rest });
    if (options.length > 0 && shown !== undefined && input.current) input.current.value = shown;
    setQuery(writeQuery(changed), options.length > 0 ? 'push' : 'replace');
  };
  const pick = (option: TypedOption) => {
    const { rest } = readTyped(input.current?.value ?? '', false);
    setPending(undefined);
    setProblem('');
    apply([option], rest, rest === '' ? '' : `${rest} `);
    input.current?.focus();
  };
  const typed = (text: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => read(text, false), typingMs);
  };
  const offered = pending && known ? optionsOf(pending, known).slice(0, mostOffered) : [];
  const move = (event: KeyboardEvent) => {
    const all = [...(form.current?.querySelectorAll<HTMLElement>('input, .typed-option') ?? [])];
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined || all.length < 2) return;
    event.preventDefault();
    all.at((all.indexOf(document.activeElement as HTMLElement) + step) % all.length)?.focus();
  };
  return (
    <form
      class="transcript-search"
      role="search"
      ref={form}
      onKeyDown={move}
      onSubmit={(event) => {
        event.preventDefault();
        read(input.current?.value ?? '', true);
      }}
    >
      <div class="search">
        <Icon name="search" />
        <input
          ref={input}
          class="input"
          type="search"
          data-search-transcripts
          aria-label="Search transcripts"
          aria-describedby={problem ? 'typed-problem' : undefined}
          placeholder="Search transcripts, with device: talkgroup: tag: before: after:"
          defaultValue={value}
          maxLength={searchTextLength}
          dir="auto"
          autoComplete="off"
          spellcheck={false}
          enterKeyHint="search"
          onInput={({ currentTarget }) => typed(currentTarget.value)}
        />
        <kbd aria-hidden="true">/</kbd>
      </div>
      {offered.length > 0 && (
        <ul class="typed-options" aria-label={`Filter by ${pending?.name}`}>
          {offered.map((option) => (
            <li key={option.label}>
              <button class="typed-option" type="button" onClick={() => pick(option)}>
                <UserText text={option.label} />
              </button>
            </li>
          ))}
        </ul>
      )}
      {problem && (
        <p class="problem" id="typed-problem" role="status">
          {problem}
        </p>
      )}
    </form>
  );
}
