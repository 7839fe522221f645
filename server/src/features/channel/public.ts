export { channelOutlet } from './delivery/outlet.ts';
export type { ChangeRange } from './delivery/change-queries.ts';
export { insertChanges, insertMissed } from './delivery/change-queries.ts';
export type { MessageRecipient, WriteChanges } from './delivery/message.ts';
export { readAlertLink } from './alert-link.ts';
export type { ToldChanges } from './kinds/kind.ts';
export { findUsableChannels } from './queries.ts';
export { requireChannel } from './rules.ts';
export { waitedText } from './waited-text.ts';
