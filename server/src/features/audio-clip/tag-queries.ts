import type { AudioClipTag, Tag } from '@earshot/contract/tag';

export interface Moments {
  readonly fromMs: number;
  readonly toMs: number;
}

/** A tag of a clip, with the fields of the tag itself. */
export interface CarriedTag extends AudioClipTag {
  readonly tagCreationDate: string;
  readonly tagCreatedBy: number | undefined;
  readonly tagModifiedDate: string | undefined;
  readonly tagModifiedBy: number | undefined;
}

/** The distinct tags among these. */
export function tagsAmong(carried: readonly CarriedTag[]): Tag[] {
  const tags = new Map<number, Tag>();
  for (const { tagID = 0, tagName, ...rest } of carried) {
    const { tagCreationDate: creationDate, tagCreatedBy: createdBy } = rest;
    const { tagModifiedDate: lastModifiedDate, tagModifiedBy: lastModifiedBy } = rest;
    tags.set(tagID, { key: tagID, tagName, creationDate, createdBy, lastModifiedDate, lastModifiedBy } as Tag);
  }
  return [...tags.values()].toSorted((a, b) => (a.key ?? 0) - (b.key ?? 0));
}
