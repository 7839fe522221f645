import { audioClipStatus } from '@earshot/contract/audio-clip-status';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import { lowerName } from './core/tag-name.ts';
import type { KnownFacts } from './core/facts.ts';
import type { FactKind } from './core/when.ts';
import { allFacts } from './core/when.ts';

interface FactRow {
  readonly key: number;
  readonly deviceID: number;
  readonly startMs: number;
  readonly endMs: number | null;
  readonly hadSound: boolean;
  readonly text?: string | null;
  readonly tags?: readonly { readonly name: string; readonly confidence: number }[];
  readonly isLabelled?: boolean;
  readonly isSilent?: boolean | null;
  readonly speechSeconds?: number | null;
  readonly levelDb?: number | null;
  readonly clippedPercent?: number | null;
  readonly timeZone?: string | null;
  readonly talkgroup?: number | null;
  readonly units?: readonly number[] | null;
  readonly isEmergency?: boolean | null;
}

/** The facts of the clips with these keys that exist, as they are now. Kinds of facts that are not needed are not read. */
export async function loadFacts(
  db: Db,
  keys: readonly number[],
  needed: ReadonlySet<FactKind> = allFacts,
): Promise<KnownFacts[]> {
  if (keys.length === 0) return [];
  const selected: Readonly<Record<FactKind, Fragment>> = {
    text: db`, s.text`,
    tags: db`,
      (select coalesce(jsonb_agg(jsonb_build_object('name', n.tag_name, 'confidence', t.confidence)), '[]')
        from audio_clip_tags t join tags n on n.key = t.tag_id
        where t.audio_clip_id = c.key and t.rule_id is null) as tags,
      exists (select 1 from clip_labellings l where l.audio_clip_id = c.key and
        case when c.file_id is null then c.audio_clip_status = ${audioClipStatus.expired} else l.file_id = c.file_id end)
        as "isLabelled"`,
    sound: db`, m.is_digital_silence as "isSilent", m.speech_ms / 1000.0::double precision as "speechSeconds",
      m.level_db as "levelDb", m.clipped_percent as "clippedPercent"`,
    call: db`, r.talkgroup, r.units, r.is_emergency as "isEmergency"`,
    timeZone: db`, d.time_zone as "timeZone"`,
  };
  const joined: Readonly<Record<FactKind, Fragment>> = {
    text: db`left join caption_search s on s.audio_clip_id = c.key`,
    tags: db``,
    sound: db`left join clip_facts m on m.audio_clip_id = c.key`,
    call: db`left join radio_calls r on r.audio_clip_id = c.key`,
    timeZone: db`join devices d on d.key = c.device_id`,
  };
  const only = (parts: typeof selected) => (kind: FactKind) => (needed.has(kind) ? parts[kind] : db``);
  const [read, join] = [only(selected), only(joined)];
  const rows = await db<FactRow[]>`
    select c.key, c.device_id as "deviceID", c.start_ms as "startMs", c.end_ms as "endMs",
      c.audio_clip_status in (${audioClipStatus.available}, ${audioClipStatus.expired}) as "hadSound"
      ${read('text')} ${read('tags')} ${read('sound')} ${read('call')} ${read('timeZone')}
    from unnest(${keys as number[]}::bigint[]) k (key)
    cross join lateral (select * from audio_clips c where c.key = k.key limit 1) c
    ${join('text')} ${join('sound')} ${join('call')} ${join('timeZone')}`;
  return rows.map(factsOf);
}

const factsOf = (row: FactRow): KnownFacts => ({
  key: row.key,
  deviceID: row.deviceID,
  startMs: row.startMs,
  endMs: row.endMs ?? undefined,
  text: row.text ?? undefined,
  tags: greatest(row.tags ?? []),
  isLabelled: row.isLabelled ?? false,
  hadSound: row.hadSound,
  isSilent: row.isSilent ?? undefined,
  speechSeconds: row.speechSeconds ?? undefined,
  levelDb: row.levelDb ?? undefined,
  clippedPercent: row.clippedPercent ?? undefined,
  call:
    row.talkgroup === null || row.talkgroup === undefined
      ? undefined
      : { talkgroup: row.talkgroup, units: row.units ?? [], isEmergency: row.isEmergency ?? false },
  timeZone: row.timeZone ?? undefined,
});

function greatest(tags: NonNullable<FactRow['tags']>): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  for (const { name, confidence } of tags) {
    const lower = lowerName(name);
    found.set(lower, Math.max(found.get(lower) ?? 0, confidence));
  }
  return found;
}
