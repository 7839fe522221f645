import type { Talkgroup } from '@earshot/contract/radio';
import { useEffect, useId, useRef } from 'preact/hooks';
import { showToast } from '../../lib/toasts.ts';
import { findTalkgroup, talkgroupText } from './names.ts';

interface TalkgroupInputProps {
  /** Name for screen readers, where no label is shown. */
  readonly label?: string;
  readonly id?: string;
  readonly class: string;
  readonly placeholder: string;
  readonly value: number | undefined;
  readonly known: readonly Talkgroup[];
  readonly onChange: (talkgroup: number | undefined) => void;
}

/** Takes the number or the name of a talkgroup, and suggests those that are known. */
export function TalkgroupInput({ label, value, known, onChange, ...attributes }: TalkgroupInputProps) {
  const input = useRef<HTMLInputElement>(null);
  const listID = useId();
  const chosen = known.find(({ talkgroup }) => talkgroup === value);
  const shown = value === undefined ? '' : chosen?.talkgroupLabel || chosen?.talkgroupName || String(value);
  useEffect(() => {
    if (input.current) input.current.value = shown;
  }, [shown]);
  const change = (typed: string) => {
    if (typed === shown) return;
    const talkgroup = findTalkgroup(typed, known);
    if (typed !== '' && talkgroup === undefined) {
      if (input.current) input.current.value = shown;
      showToast(`There is no talkgroup “${typed}”. Enter its number, or a part of its name.`, { tone: 'bad' });
      return;
    }
    // A part of a name is replaced by the name, also if the filter does not change.
    if (talkgroup === value && input.current) input.current.value = shown;
    onChange(talkgroup);
  };
  return (
    <>
      <input
        {...attributes}
        ref={input}
        aria-label={label}
        list={listID}
        defaultValue={shown}
        autoComplete="off"
        spellcheck={false}
        dir="auto"
        onChange={({ currentTarget }) => change(currentTarget.value.trim())}
      />
      <datalist id={listID}>
        {known.map((one) => (
          <option key={`${one.deviceID} ${one.talkgroup}`} value={one.talkgroup} label={talkgroupText(one)} />
        ))}
      </datalist>
    </>
  );
}
