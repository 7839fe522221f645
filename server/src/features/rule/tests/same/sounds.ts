import type { PlainClip, PlainSound } from './plain.ts';
import { noFacts } from './random-clip.ts';
import type { World } from './world.ts';

/** What programs write that listen to sound, or receive or remove it. */

/** The sound is labelled, and nothing was recognised in it. */
export async function label({ server, step }: World, clip: PlainClip): Promise<void> {
  await server.db`
    insert into clip_labellings (audio_clip_id, file_id) values (${clip.key}, ${clip.fileID ?? 0})
    on conflict (audio_clip_id) do update set file_id = excluded.file_id, labelled_date = now()`;
  clip.isLabelled = true;
  clip.changedAt = step;
}

/** Sound arrives, or replaces what was there; a fact that was not measured is unknown. */
export async function giveSound({ server, step }: World, clip: PlainClip, sound: PlainSound): Promise<void> {
  const { isSilent, speechSeconds, levelDb, clippedPercent } = sound;
  const [row] = await server.db<{ fileID: number }[]>`
    with file as (
      insert into files (device_id, filename, file_size, content_type, file_status, available_date)
      values (${clip.deviceID}, 'dawn.wav', 44, 'audio/wav', 1, now()) returning key)
    update audio_clips set file_id = file.key, audio_clip_status = 3 from file where audio_clips.key = ${clip.key}
    returning file_id as "fileID"`;
  if (sound !== noFacts)
    await server.db`
      insert into clip_facts (audio_clip_id, file_id, is_digital_silence, speech_ms, level_db, clipped_percent)
      values (${clip.key}, ${row?.fileID ?? 0}, ${isSilent ?? null},
        ${speechSeconds === undefined ? null : speechSeconds * 1_000}, ${levelDb ?? null}, ${clippedPercent ?? null})`;
  Object.assign(clip, { fileID: row?.fileID, hadSound: true, isLabelled: false, sound, changedAt: step });
}

/** By retention. */
export async function expireSound({ server, step }: World, clip: PlainClip): Promise<void> {
  await server.db`update audio_clips set audio_clip_status = 5, file_id = null where key = ${clip.key}`;
  Object.assign(clip, { fileID: undefined, changedAt: step });
}

export async function setCall(
  { server, step }: World,
  clip: PlainClip,
  call: NonNullable<PlainClip['call']>,
): Promise<void> {
  const { talkgroup, units, isEmergency } = call;
  await server.db`
    insert into radio_calls (audio_clip_id, device_id, clip_start_ms, talkgroup, unit, units, is_emergency)
    values (${clip.key}, ${clip.deviceID}, ${clip.startMs}, ${talkgroup}, ${units[0] ?? null},
      ${units as number[]}::bigint[], ${isEmergency})`;
  Object.assign(clip, { call, changedAt: step });
}
