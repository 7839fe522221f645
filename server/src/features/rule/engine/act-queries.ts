import type { Db } from '../../../platform/database/connect.ts';

export interface NewAct {
  readonly audioClipID: number;
  readonly action: 'lock' | 'tag';
  readonly tagName: string;
}

/**
 * Notes that an action is done for a match; undefined if it was done before. A sweep also finds clips of before the rule's
 * last change, with which nothing is done.
 */
export async function noteAct(
  tx: Db,
  ruleID: number,
  { audioClipID, action, tagName }: NewAct,
  onlyNewClips: boolean,
): Promise<number | undefined> {
  const isNew = tx`and c.creation_date >= r.change_date`;
  const [row] = await tx<{ key: number }[]>`
    insert into rule_acts (match_id, action, tag_name)
    select m.key, ${action}, ${tagName} from rule_matches m join rules r on r.key = m.rule_id
      join audio_clips c on c.key = m.audio_clip_id
    where m.rule_id = ${ruleID} and m.audio_clip_id = ${audioClipID} ${onlyNewClips ? isNew : tx``}
    on conflict do nothing returning key`;
  return row?.key;
}

export const refuseAct = (tx: Db, key: number, refusal: string): Promise<unknown> =>
  tx`update rule_acts set refusal = ${refusal} where key = ${key}`;

/** Whether the person may act at all: a disabled person has no rights. */
export async function isAbleToAct(tx: Db, userID: number): Promise<boolean> {
  return (await tx`select 1 from users where key = ${userID} and not disabled`).length > 0;
}
