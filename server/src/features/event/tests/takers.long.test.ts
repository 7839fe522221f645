import { test } from 'vitest';
import { takeThroughDeaths } from './takers-and-deaths.ts';

test('a node and PostgreSQL are killed under 32 takers and 5,000 events: none is lost or held twice', async () => {
  await takeThroughDeaths({ events: 5_000 });
});
