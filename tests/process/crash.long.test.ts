import { test } from 'vitest';
import { surviveKills } from './kills.ts';

test('server and PostgreSQL are killed repeatedly: all 5,000 acknowledged writes exist unchanged', async () => {
  await surviveKills({
    devices: 2_500,
    victims: ['server', 'postmaster', 'both', 'postmaster', 'server', 'postmaster', 'server'],
  });
});
