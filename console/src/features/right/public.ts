export type { Declared } from './rights.ts';
export { may } from './rights.ts';
