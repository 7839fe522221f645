import * as fc from 'fast-check';
import type { Hints } from './values.ts';

/** Random settings are hardly ever those of their kind. */
export function channelHints(channelID: number, deviceID: number): Readonly<Record<string, Hints>> {
  const settings = fc.constantFrom<object | null>(
    { url: 'https://told.invalid/' },
    { url: 'https://told.invalid/' },
    { url: 'https://told.invalid/' },
    { url: 'https://told.invalid/', topic: 'night', token: 'tk' },
    { url: 'http://127.0.0.1/' },
    { url: 'https://told.invalid/', template: '{"a":"{{title}}"}' },
    { url: 'https://told.invalid/', template: '{' },
    { token: 'a', destination: 'b' },
    { address: 'a@example.org' },
    {},
    null,
  );
  const kind = fc.constantFrom('webhook', 'webhook', 'webhook', 'http', 'email', 'pushover', 'pigeon');
  const where = fc.constantFrom(null, {}, { deviceIDs: [deviceID] }, { deviceIDs: [0] });
  return {
    createChannel: { kind, settings },
    updateChannel: { settings },
    createSubscription: { channelID: fc.constantFrom(channelID, channelID, channelID, 0), where },
  };
}
