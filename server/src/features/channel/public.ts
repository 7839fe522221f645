export { channelOutlet } from './delivery/outlet.ts';
export { readAlertLink } from './alert-link.ts';
export { findUsableChannels } from './queries.ts';
