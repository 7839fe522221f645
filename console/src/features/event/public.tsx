export { Download, fileOf } from './download.tsx';
export { EventFields } from './event-fields.tsx';
export { EventRow } from './event-row.tsx';
export { EventStateBadge } from './event-state.tsx';
export { SendEventDialog } from './send-dialog.tsx';
