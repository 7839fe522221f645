/** What other features may use of clips. */
export { refuseChange as refuseClipChange, requireClip } from './change.ts';
export { changeClip, findClipsByKey, lockClip } from './queries.ts';
export { clipTagColumns, listTagsOfClips, tagColumns } from './tag-queries.ts';
export { endOfSound, timesShown } from './times.ts';
