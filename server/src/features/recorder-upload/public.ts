export type { RecorderUploadParts } from './parts.ts';
export { recorderUploadParts } from './parts.ts';
export type { UploadedCall } from './store-call.ts';
export { storeCall } from './store-call.ts';
