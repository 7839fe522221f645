import { expect, test } from 'vitest';
import { createJobRegistry } from './jobs.ts';

const joining = 'Concatenate_audio_clips';

test('the start fails unless each event type of the platform has exactly one handler', () => {
  const kind = { eventType: joining, concurrency: 1, handle: async () => undefined };
  const registry = createJobRegistry([joining]);
  expect(() => registry.complete()).toThrow(`there is no handler for the event types ${joining}`);
  expect(() => registry.add({ ...kind, eventType: 'Reboot' })).toThrow(
    'the contract does not declare Reboot as an event type of the platform',
  );
  expect(() => registry.add({ ...kind, concurrency: 0 })).toThrow('at least one');
  expect(() => registry.add({ ...kind, urgentPlaces: 1 })).toThrow('a slot for work that is not urgent');
  expect(() => registry.add({ ...kind, concurrency: 2, urgentPlaces: 1, usualPlaces: 2 })).toThrow(
    'reserves more slots than it has',
  );
  registry.add(kind);
  expect(() => registry.add(kind)).toThrow(`the event type ${joining} has two handlers`);
  expect(registry.complete()).toEqual([kind]);
});
