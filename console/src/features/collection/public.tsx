export { CollectItemsDialog } from './collect-dialog.tsx';
