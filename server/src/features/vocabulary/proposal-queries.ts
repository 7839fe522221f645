import type { TermProposal } from '@earshot/contract/vocabulary-proposal';
import type { Db, Fragment } from '../../platform/database/connect.ts';
import type { Caller } from '../../platform/http/caller.ts';
import { deviceRight } from '../../access.ts';
import type { TermScope } from './queries.ts';

/** A name or code that a person wrote, and what was written there before. */
export interface CorrectedTerm {
  readonly term: string;
  readonly heardAs: string;
}

/**
 * Notes what a person corrected in a clip, which the transaction has locked. What an earlier correction of the clip has
 * written stays while the text still has it.
 */
export async function noteCorrectedTerms(
  tx: Db,
  clipID: number,
  terms: readonly CorrectedTerm[],
  transcript: string,
): Promise<void> {
  await tx`
    delete from corrected_terms
    where audio_clip_id = ${clipID} and position(lower(term) in lower(${transcript}::text)) = 0`;
  if (terms.length === 0) return;
  await tx`
    insert into corrected_terms (audio_clip_id, term, heard_as)
    select ${clipID}, n.term, n.heard_as
    from unnest(${terms.map(({ term }) => term)}::text[], ${terms.map(({ heardAs }) => heardAs)}::text[])
      as n (term, heard_as)
    where not exists (
      select 1 from corrected_terms t
      where t.audio_clip_id = ${clipID} and t.term = n.term and t.heard_as = n.heard_as)`;
}

/** Whether the device `d` belongs to the scope: for a collection, if it gives access to the device. */
const isIn = (db: Db, scope: TermScope): Fragment =>
  scope === null
    ? db`true`
    : db`exists (
        select 1 from collection_items i where i.collection_id = ${scope} and i.device_id = d.key
          and (i.placed_by_admin or i.user_id = d.user_id))`;

const mostProposals = 100;

/** From the clips that the caller may read, those of many clips first. Terms of the vocabulary are left out. */
export const listProposals = (db: Db, caller: Caller, scope: TermScope): Promise<TermProposal[]> => db<TermProposal[]>`
  select min(t.term) as term, array_agg(distinct t.heard_as order by t.heard_as) as "heardAs",
    count(distinct t.audio_clip_id)::int as "clipCount",
    (array_agg(distinct t.audio_clip_id order by t.audio_clip_id desc))[1:3] as "audioClips"
  from corrected_terms t join audio_clips c on c.key = t.audio_clip_id join devices d on d.key = c.device_id
  where not t.is_dismissed and ${isIn(db, scope)} and ${deviceRight(db, caller, 'read')}
    and not exists (
      select 1 from vocabulary_terms v
      where coalesce(v.collection_id, 0) in (0, ${scope ?? 0}) and lower(v.term) = lower(t.term))
  group by lower(t.term) order by count(distinct t.audio_clip_id) desc, lower(t.term) limit ${mostProposals}`;

/** In the clips of devices that the caller may change. */
export const dismissTerm = (db: Db, caller: Caller, term: string): Promise<unknown> => db`
  update corrected_terms set is_dismissed = true where key in (
    select t.key from corrected_terms t join audio_clips c on c.key = t.audio_clip_id
    join devices d on d.key = c.device_id
    where lower(t.term) = lower(${term}) and not t.is_dismissed and ${deviceRight(db, caller, 'write')}
    order by t.key for update of t)`;
