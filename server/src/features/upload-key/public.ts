export type { AcceptedKey, UploadKeyParts } from './accept-key.ts';
export { acceptUploadKey } from './accept-key.ts';
export { useBytes, useTranscription } from './daily-use.ts';
export type { RecorderSource } from './source-device.ts';
export { callerFor, deviceOfSource } from './source-device.ts';
