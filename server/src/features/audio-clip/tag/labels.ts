import type { Db } from '../../../platform/database/connect.ts';
import { requireValue } from '../../../platform/database/stored.ts';
import type { NewLabel } from './rules.ts';
import { tagNameLength } from '@earshot/contract/tag';
import { putTags, replaceEngineTags } from './queries.ts';

/** Replaces the labels of engines on a clip; tags of people are kept. The caller has locked the clip. */
export async function replaceLabels(
  tx: Db,
  clipID: number,
  origin: string,
  labels: readonly NewLabel[],
): Promise<void> {
  const named = labels.flatMap((label) => {
    const name = label.name.trim().slice(0, tagNameLength).trim();
    return name === '' ? [] : [{ ...label, name }];
  });
  const tags =
    named.length > 0 ? await putTags(tx, [...new Set(named.map(({ name }) => name))]) : new Map<string, number>();
  await replaceEngineTags(
    tx,
    clipID,
    origin,
    named.map(({ name, startMs, confidence }) => ({
      tagID: requireValue(tags.get(name.toLowerCase()), 'tags.key of a label'),
      offsetMs: Math.max(0, Math.round(startMs)),
      confidence,
    })),
  );
}
