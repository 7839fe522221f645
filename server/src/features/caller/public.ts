export { readBasic } from './basic.ts';
export { changeCredentials, credentialsTopic, findValidCallers } from './credentials.ts';
export { keyPurpose, readKeySecret } from './key-secret.ts';
export type { RecordUse, UseLog, UsedCredentials } from './use-log.ts';
