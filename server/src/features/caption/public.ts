export { writeSrt, writeVtt } from './read/formats.ts';
export { transcriptOf } from './segments.ts';
export type { Transcriber } from './engine/transcriber.ts';
export { createTranscriber } from './engine/transcriber.ts';
