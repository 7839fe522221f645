export type { Live } from './live.ts';
