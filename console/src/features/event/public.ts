export { eventTypes, oneEvent } from './data.ts';
export type { EventDraft } from './draft.ts';
export { draftOf, newEvent, writtenEvent } from './draft.ts';
export type { ListedEvent } from './lists.ts';
export { cappedCount, mostOpenEvents, newestEvents, openEvents } from './lists.ts';
export { parametersSummary } from './parameters.ts';
export { compareProgress, hasEnded } from './progress.ts';
export { readableName } from './readable-name.ts';
export { sendToDevices } from './send-to-devices.ts';
