export { findEntriesOfClip } from './clip-queries.ts';
export type { ProvenEntries } from './log/proof.ts';
export { proveEntries } from './log/proof.ts';
export { sealEntries } from './log/seal.ts';
export { signStatement } from './log/statement.ts';
export type { ReadLog } from './read-log.ts';
export { noteWhenRead } from './read-log.ts';
export type { AuditActor } from './record-queries.ts';
export { recordAct, recordActs } from './record-queries.ts';
