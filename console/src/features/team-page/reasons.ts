import type { Reach } from '@earshot/contract/reach';

type ReachedCollection = Reach['collections'][number];
type ReachedDevice = Reach['devices'][number];

const rights = { read: 'read', write: 'read and write', own: 'everything' } as const;
export const rightText = (right: keyof typeof rights): string => rights[right];

/** Why a person can reach the collection, in words. */
export function collectionReasons({ isOwner, isMember, teams }: ReachedCollection): readonly string[] {
  const reasons = [
    ...(isOwner ? ['as its owner'] : []),
    ...(isMember ? ['as a member'] : []),
    ...teams.map(({ teamName }) => `through ${teamName}`),
  ];
  return reasons.length > 0 ? reasons : ['as an admin'];
}

/** Why a person can reach the device; collections that are not listed are left out. */
export function deviceReasons(
  { isOwner, collectionIDs }: ReachedDevice,
  collections: readonly ReachedCollection[],
): readonly string[] {
  const reasons = [
    ...(isOwner ? ['as its owner'] : []),
    ...collections
      .filter(({ collectionID }) => collectionIDs.includes(collectionID))
      .map((collection) => `in ${collection.collectionName}, ${collectionReasons(collection).join(' and ')}`),
  ];
  if (reasons.length > 0) return reasons;
  return [collectionIDs.length > 0 ? 'in a collection' : 'as an admin'];
}
