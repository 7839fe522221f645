import { beforeAll, expect, test } from 'vitest';
import { captionThroughDeaths, fetchModels } from './deaths.ts';

beforeAll(fetchModels, 600_000);

test('five hundred clips while processes are killed at ten random moments', async () => {
  expect.hasAssertions();
  const moments = Array.from({ length: 10 }, () => Math.floor(Math.random() * 480)).toSorted((a, b) => a - b);
  const kills = moments.map((at) => ({ at, who: Math.random() < 0.5 ? ('listener' as const) : ('node' as const) }));
  await captionThroughDeaths({ clips: 500, kills });
});
