export { addUser, normalEmail } from './add-user.ts';
export type { OnUserDisabled, UserParts } from './parts.ts';
export { newPostbackSecret, postbackPurpose } from './postback-secret.ts';
export { recordSignIn, setPassword, setPostbackSecret } from './queries.ts';
export { requireUser } from './rules.ts';
