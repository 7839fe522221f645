import { test } from 'vitest';
import { takeOnce } from './take-once.ts';
import { takeThroughDeaths } from './takers-and-deaths.ts';

test('a node and PostgreSQL are killed under 32 takers and 5,000 events: none is lost or held twice', async () => {
  await takeThroughDeaths({ events: 5_000 });
});

test('32 takers on two nodes: each of 5,000 events is taken exactly once', async () => {
  await takeOnce({ events: 5_000 });
}, 600_000);
