import { test } from 'vitest';
import { takeOnce } from './take-once.ts';
import { takeThroughDeaths } from './takers-and-deaths.ts';

// takers.long.test.ts has the full numbers.
test('32 takers on two nodes: each of 250 events is taken exactly once', async () => {
  await takeOnce({ events: 250 });
});

test('a node and PostgreSQL are killed under 32 takers: no event is lost or held twice', async () => {
  await takeThroughDeaths({ events: 200 });
});
