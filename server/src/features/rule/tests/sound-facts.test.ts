import { expect, test, onTestFinished } from 'vitest';
import { addRecorder } from '../../caption/tests/captioning.ts';
import { createMeasuringEars, factsOf, startMeasuring } from '../../clip-facts/tests/measuring.ts';
import { tinyWav } from '../../file/tests/sound.ts';

test('a rule that asks for the level finds a clip once it is measured, and the trial finds the same', async () => {
  const server = await startMeasuring(createMeasuringEars());
  onTestFinished(() => server.stop());
  const { client } = await (await server.addPerson()).withKey();
  const recorder = await addRecorder(client, false);
  const create = async (min: number): Promise<number> => {
    const body = { ruleName: `from ${min} dBFS`, when: { levelDb: { min } } };
    return (await client.createRule({ body })).key ?? 0;
  };
  const [quiet, loud] = [await create(-20), await create(-5)];
  const clipID = await recorder.add(tinyWav(1));
  expect((await factsOf(client, clipID)).levelDb).toBe(-9.24);
  const found = async (ruleID: number) =>
    (await client.listRuleMatches({ body: { ruleID, state: 'current' } })).results.map(
      ({ audioClipID }) => audioClipID,
    );
  await expect.poll(() => found(quiet)).toEqual([clipID]);
  await expect.poll(async () => (await server.db`select 1 from clips_to_judge`).length).toBe(0);
  expect(await found(loud)).toEqual([]);
  const trial = await client.tryRule({ body: { rule: { when: { levelDb: { min: -20 } } } } });
  expect(trial).toMatchObject({ total: 1, knownSince: expect.any(String) });
});
