import type { Db } from '../../../platform/database/connect.ts';

/* The orders of labels: which event labels a clip (label-task.ts). */

export async function putLabelOrder(tx: Db, clipID: number, eventID: number): Promise<void> {
  await tx`
    insert into label_orders (audio_clip_id, event_id) values (${clipID}, ${eventID}) on conflict do nothing`;
}

export async function hasLabelOrder(db: Db, clipID: number, eventID: number): Promise<boolean> {
  const rows = await db`select 1 from label_orders where audio_clip_id = ${clipID} and event_id = ${eventID}`;
  return rows.length > 0;
}

export const removeLabelOrder = (db: Db, clipID: number, eventID: number): Promise<unknown> =>
  db`delete from label_orders where audio_clip_id = ${clipID} and event_id = ${eventID}`;

/** Notes that this sound was labelled: only then is it known which tags its clip does not have. */
export const noteLabelling = (tx: Db, clipID: number, fileID: number): Promise<unknown> => tx`
  insert into clip_labellings (audio_clip_id, file_id) values (${clipID}, ${fileID})
  on conflict (audio_clip_id) do update set file_id = excluded.file_id, labelled_date = now()`;
