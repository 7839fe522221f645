import type { PagedAudioClip } from '@earshot/contract/audio-clip-page';
import { mostSpeechSpans, shownTranscript } from '@earshot/contract/audio-clip-page';
import type { Db, Fragment } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { deviceRight } from '../../../access.ts';
import type { ClipFilter } from './queries.ts';
import { captionID, firstClips, orderClips } from './queries.ts';
import type { StoredClip } from '../queries.ts';
import { clipColumns } from '../queries.ts';
import { clipNamesAndCall } from './name-queries.ts';
import { titleContains, titleOfClip } from '../recording/queries.ts';

export interface LookedAt {
  readonly time: number;
  readonly key: number;
  /** Whether the clip has what is in no index. */
  readonly fits: boolean;
}

/** Conditions that are in no index, so they are checked clip by clip. */
export interface CheckedFilter {
  readonly status?: number | undefined;
  /** A part of the title, in any case. */
  readonly title?: string | undefined;
}

/** The places of the first clips of the list. */
export async function lookAtClips(
  db: Db,
  caller: Caller,
  filter: ClipFilter,
  { status, title }: CheckedFilter,
): Promise<LookedAt[]> {
  const hasStatus =
    status === undefined
      ? db``
      : db`and (select c.audio_clip_status from audio_clips c where c.key = p.key) = ${status}`;
  const hasTitle = title === undefined ? db`` : db`and ${titleContains(db, db`p.key`, title)}`;
  return db<LookedAt[]>`
    with ${firstClips(db, caller, filter)}
    select p.start_ms as "time", p.key, true ${hasStatus} ${hasTitle} as fits from first p ${orderClips(db, filter, db`p`)}`;
}

/** Captions whose segments take more space than this, compressed, are not read for a list. They are hours long. */
const mostSegmentBytes = 100_000;

/** Where somebody speaks in the clip, by the segments of its caption; null if it has none. */
const speech = (db: Db): Fragment => db`,
  (select json_agg(json_build_object('startMs', e.segment -> 'startMs', 'endMs', e.segment -> 'endMs') order by e.n)
  from captions s
  join caption_versions v on v.audio_clip_id = s.audio_clip_id and v.version = s.version
    and pg_column_size(v.segments) <= ${mostSegmentBytes}
  cross join lateral (
    select e.segment, e.n from jsonb_array_elements(v.segments) with ordinality as e (segment, n)
    limit ${mostSpeechSpans}) e
  where s.audio_clip_id = c.key) as speech`;

export type PagedClip = StoredClip & PagedAudioClip;

/** These clips in this order, without those that the caller may not read. */
export async function readClipsOfPage(
  db: Db,
  caller: Caller,
  clips: readonly { readonly key: number }[],
  withSpeech: boolean,
): Promise<PagedClip[]> {
  const keys = clips.map(({ key }) => key);
  return db<PagedClip[]>`
    select ${clipColumns(db)} ${clipNamesAndCall(db, caller)} ${captionID(db, caller)},
      (select left(s.transcript, ${shownTranscript}::int) from captions s where s.audio_clip_id = c.key) as transcript,
      ${titleOfClip(db)} as title,
      (select f.duration_ms from files f where f.key = c.file_id) as "soundMs" ${withSpeech ? speech(db) : db``},
      ${deviceRight(db, caller, 'write')} as "mayWrite"
    from unnest(${keys}::bigint[]) with ordinality as n (key, position)
    cross join lateral (select * from audio_clips c where c.key = n.key limit 1) c
    cross join lateral (select * from devices d where d.key = c.device_id limit 1) d
    where ${deviceRight(db, caller, 'read')}
    order by n.position`;
}
