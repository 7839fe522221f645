export { listItemsOf } from './rules.ts';
