export { KeyRow } from './key-row.tsx';
