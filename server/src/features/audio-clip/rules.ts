/** The functions of clips that other features may use. */
export { refuseChange as refuseClipChange, requireClip } from './change.ts';
export { clipColumns } from './columns.ts';
export { names as clipNames } from './list-queries.ts';
export { readList, readRange } from './lists.ts';
export { changeClip, findClipsByKey, lockClip } from './queries.ts';
export { clipTagColumns, listTagsOfClips, tagColumns } from './tag-queries.ts';
export { endOfSound, faultOfLength, timesShown } from './times.ts';
