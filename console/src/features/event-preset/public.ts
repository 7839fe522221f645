export { presetsOf } from './data.ts';
