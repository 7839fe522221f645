/** What the published package exports. */
export { ApiError } from './api-error.ts';
export { createClient, type ClientOptions } from './client.ts';
export type { ClientCredential, Credential, SessionCredential } from './credential.ts';
export { downloadSound, type DownloadOptions, type SoundDownload } from './download.ts';
export { listen, type ListenOptions, type LiveMessage } from './live.ts';
// Also, in the package, the types of all records.
export type * from './methods.ts';
export { signInWithPassword, type SignedIn } from './sign-in.ts';
export { uploadRecording, type Recording, type SoundBytes, type UploadOptions } from './upload.ts';
