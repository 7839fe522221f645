import type { RadioCall, Talkgroup } from '@earshot/contract/radio';
import { largestCount } from '@earshot/contract/values';
import { useEffect, useId, useRef } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { type Query, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Badge, UserText } from '../../lib/ui/elements.tsx';
import { talkgroupsFound } from './data.ts';
import { findTalkgroup, talkgroupText, unitText } from './public.ts';
import { shownAtFirst, TalkgroupSection } from './section.tsx';

/** Talkgroups of one device, or of all devices (0), for selection. */
export const someTalkgroups = (deviceID: number): Query<readonly Talkgroup[]> => ({
  key: `talkgroups some ${deviceID}`,
  load: () => api.listTalkgroups({ body: { deviceID, count: largestCount } }),
});

interface CallProps {
  readonly call: RadioCall;
}

export function EmergencyMark({ call }: CallProps) {
  if (!call.isEmergency) return null;
  return (
    <span class="emergency">
      <Badge tone="bad">Emergency</Badge>
    </span>
  );
}

/** Talkgroup and unit of a radio call, for a row of a list. */
export function CallSummary({ call }: CallProps) {
  const { unit } = call;
  return (
    <>
      <EmergencyMark call={call} />
      <UserText text={talkgroupText(call)} />
      {unit !== undefined && (
        <span>
          unit <UserText text={unitText(call, unit)} />
        </span>
      )}
    </>
  );
}

/** The talkgroups of a device; nothing for a device that records none. */
export function TalkgroupsOfDevice({ deviceID }: { readonly deviceID: number }) {
  const { data: first = [] } = useQuery(talkgroupsFound(deviceID, '', shownAtFirst));
  return first.length === 0 ? null : <TalkgroupSection deviceID={deviceID} />;
}

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
  const shown = value === undefined ? '' : String(value);
  useEffect(() => {
    if (input.current) input.current.value = shown;
  }, [shown]);
  const change = (typed: string) => {
    const talkgroup = findTalkgroup(typed, known);
    if (typed !== '' && talkgroup === undefined) {
      if (input.current) input.current.value = shown;
      showToast(`There is no talkgroup “${typed}”. Enter its number, or a part of its name.`, { tone: 'bad' });
      return;
    }
    // A name is replaced by its number, also if the filter does not change.
    if (input.current) input.current.value = String(talkgroup ?? '');
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
