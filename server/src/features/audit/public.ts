export type { ReadLog } from './read-log.ts';
export { noteWhenRead } from './read-log.ts';
export { recordAct } from './record-queries.ts';
