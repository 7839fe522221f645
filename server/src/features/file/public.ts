export { contentOf } from './content.ts';
export type { FileFacts, SoundParts } from './describe-sound.ts';
export { describeSound } from './describe-sound.ts';
export { peaksName } from './peaks-name.ts';
export type { KeptFile, NewFile } from './queries.ts';
export { insertFile, makeAvailable, makeSoundAvailable, useFiles } from './queries.ts';
export type { StoredFile } from './stored-queries.ts';
export { storedFileColumns } from './stored-queries.ts';
export { releaseFile, removeUnusedFiles } from './unused.ts';
