export { ClipRow } from './clip-row.tsx';
export { ExportDialog } from './export-dialog.tsx';
export { Exports } from './exports.tsx';
