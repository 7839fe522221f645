import { deviceRight } from '../../../access.ts';
import { recordChanges } from '../../../platform/changes/record-changes.ts';
import type { Db } from '../../../platform/database/connect.ts';
import type { Caller } from '../../../platform/http/caller.ts';
import { recordActs } from '../../audit/public.ts';
import { putTag } from './queries.ts';

/**
 * Puts the tag of a rule at the start of the clip, with the rights of the rule's owner. An equal tag stays as it is. False if
 * the owner may not change the clip.
 */
export async function tagByRule(
  tx: Db,
  owner: Caller,
  clipID: number,
  { ruleID, tagName }: { readonly ruleID: number; readonly tagName: string },
): Promise<boolean> {
  const held = await tx`
    select 1 from audio_clips c join devices d on d.key = c.device_id
    where c.key = ${clipID} and ${deviceRight(tx, owner, 'write')} for no key update of c`;
  if (held.length === 0) return false;
  const tagID = await putTag(tx, owner, tagName);
  await tx`
    with added as (
      insert into audio_clip_tags (audio_clip_id, device_id, tag_id, clip_start_ms, offset_ms, created_by, rule_id)
      select c.key, c.device_id, ${tagID}, c.start_ms, 0, ${owner.userID}, ${ruleID} from audio_clips c where c.key = ${clipID}
      on conflict (audio_clip_id, tag_id, offset_ms) do nothing
      returning audio_clip_id as key, device_id),
    told as (${recordActs(tx, owner, 'clip-tagged', tx`added`)})
    ${recordChanges(tx, { kind: 'audioclip', change: 'changed', rows: tx`added` })}`;
  return true;
}
