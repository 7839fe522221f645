import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { RuleProblem } from './problems.tsx';

export interface ChipEntry {
  readonly id: string;
  readonly text: string;
  /** Where the server would say what is wrong with it. */
  readonly path: string;
  readonly drop: () => void;
}

interface ChipsProps {
  readonly label: string;
  readonly entries: readonly ChipEntry[];
  /** Stands between two entries. */
  readonly word: string;
  /** The controls that add an entry. */
  readonly children: ComponentChildren;
}

/** Entries of a list, each with a button that removes it. After that the focus is on the next, or on what adds one. */
export function Chips({ label, entries, word, children }: ChipsProps) {
  const root = useRef<HTMLDivElement>(null);
  const remove = (entry: ChipEntry, at: number) => {
    entry.drop();
    requestAnimationFrame(() => {
      const ends = [...(root.current?.querySelectorAll<HTMLElement>('.chip-end') ?? [])];
      const add = root.current?.querySelector<HTMLElement>('.chips-add button, .chips-add select, .chips-add input');
      (ends[Math.min(at, ends.length - 1)] ?? add)?.focus();
    });
  };
  return (
    <div class="rule-chips" ref={root}>
      {entries.length > 0 && (
        <ul class="chips" aria-label={label}>
          {entries.map((entry, at) => (
            <li key={entry.id}>
              {at > 0 && <span class="rule-word">{word}</span>}
              <span class="chip">
                <span class="chip-main">
                  <UserText text={entry.text} />
                </span>
                <button
                  type="button"
                  class="chip-end"
                  aria-label={`Remove ${entry.text}`}
                  onClick={() => remove(entry, at)}
                >
                  <Icon name="close" />
                </button>
              </span>
              <RuleProblem path={entry.path} isDeep />
            </li>
          ))}
        </ul>
      )}
      <span class="chips-add">{children}</span>
    </div>
  );
}
