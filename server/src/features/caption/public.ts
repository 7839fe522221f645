export { writeSrt, writeVtt } from './formats.ts';
export { transcriptOf } from './segments.ts';
export type { Transcriber } from './transcriber.ts';
export { createTranscriber } from './transcriber.ts';
