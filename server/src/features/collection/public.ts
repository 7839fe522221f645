export { selectItemNames } from './item/page-queries.ts';
export { addItem, deleteItem } from './item/rules.ts';
