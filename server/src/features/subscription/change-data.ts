import type { VisibleChange } from '../live/public.ts';

export type ChangeRecord = Readonly<Record<string, unknown>>;

interface Permission {
  /** Whether the record may be shown to the recipient. */
  readonly mayShow: boolean;
  readonly includesWords: boolean;
}

/** A LiveChange. Keys and states are always there; the record, in which names and words are, only if it may be shown. */
export function dataOfChange(
  { row, record: text }: VisibleChange,
  { mayShow, includesWords }: Permission,
): ChangeRecord & { readonly record?: ChangeRecord } {
  const { kind, change, recordKey, deviceID, outcome } = row;
  const record = text === '' ? undefined : (JSON.parse(text) as ChangeRecord);
  return {
    change,
    key: recordKey,
    ...(deviceID === null ? {} : { deviceID }),
    ...(outcome === null ? {} : { outcome }),
    ...(record && kind === 'event' ? { eventStatus: record['eventStatus'], agentID: record['agentID'] } : {}),
    // As it was told: it may be otherwise by now.
    ...(record && kind === 'device' ? { online: outcome === null ? record['online'] : outcome === 'online' } : {}),
    ...(record && mayShow ? { record: includesWords ? record : withoutWords(record) } : {}),
  };
}

/** The words of captions. */
const withoutWords = ({ transcript: _transcript, ...record }: ChangeRecord): ChangeRecord => record;
