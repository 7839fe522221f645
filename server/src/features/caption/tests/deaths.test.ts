import { beforeAll, expect, test } from 'vitest';
import { captionThroughDeaths, fetchModels } from './deaths.ts';

beforeAll(fetchModels, 600_000);

test('an engine process and a node are killed: each clip is captioned once, and none is stuck', async () => {
  expect.hasAssertions();
  await captionThroughDeaths({
    clips: 12,
    kills: [
      { at: 2, who: 'listener' },
      { at: 8, who: 'node' },
    ],
  });
});
