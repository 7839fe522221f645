import { expect, test } from 'vitest';
import { createAlertScene, fire, minuteMs, notify } from '../../alert/tests/scene.ts';

test('entries are read up to a key, never back, and listed in pages', async () => {
  const { client, addDevice, say, now, addRule, bell } = await createAlertScene();
  const device = await addDevice();
  await addRule({ ...fire, groupSeconds: 0, actions: notify });
  expect(await bell()).toEqual({ unreadCount: 0, results: [] });
  for (const minutes of [5, 4, 3]) await say(device, now - minutes * minuteMs, `fire ${minutes}`);
  const { results, unreadCount } = await bell();
  expect(unreadCount).toBe(3);
  expect(results.map(({ text, isRead }) => [text, isRead])).toEqual([
    ['fire 3', false],
    ['fire 4', false],
    ['fire 5', false],
  ]);
  await client.markBellRead({ body: { readTo: results[1]?.key ?? 0 } });
  await client.markBellRead({ body: { readTo: results[2]?.key ?? 0 } });
  const after = await client.readBell();
  expect(after.unreadCount).toBe(1);
  expect(after.results.map(({ isRead }) => isRead)).toEqual([false, true, true]);
  // A key that is not there yet does not mark what comes later.
  await client.markBellRead({ body: { readTo: Number.MAX_SAFE_INTEGER } });
  await say(device, now - 2 * minuteMs, 'fire 2');
  expect(await bell()).toMatchObject({ unreadCount: 1 });

  const first = await client.readBell({ query: { count: 3 } });
  const second = await client.readBell({ query: { count: 3, ...(first.next ? { cursor: first.next } : {}) } });
  expect([first.results.length, second.results.length, second.next]).toEqual([3, 1, undefined]);
  const back = await client.readBell({ query: { count: 3, ...(second.previous ? { cursor: second.previous } : {}) } });
  expect(back.results).toEqual(first.results);
});

test('what is said is read from the clip: a corrected or deleted clip leaves no word', async () => {
  const { client, addDevice, say, now, addRule, bell, correct } = await createAlertScene();
  const device = await addDevice();
  await addRule({ ...fire, actions: notify });
  const clip = await say(device, now - minuteMs, 'fire at the mill');
  expect((await bell()).results[0]?.text).toBe('fire at the mill');
  await correct(clip, 'fire at the hill');
  expect((await bell()).results[0]?.text).toBe('fire at the hill');
  await client.deleteAudioClip({ params: { audioClipID: clip } });
  const [entry] = (await bell()).results;
  expect(entry).toMatchObject({ isResolved: true });
  expect(entry).not.toHaveProperty('text');
  expect(entry).not.toHaveProperty('audioClipID');
});

test('a deleted rule takes what it told along', async () => {
  const { client, addDevice, say, now, addRule, bell } = await createAlertScene();
  const device = await addDevice();
  const ruleID = await addRule({ ...fire, actions: notify });
  await say(device, now - minuteMs, 'fire');
  expect(await bell()).toMatchObject({ unreadCount: 1 });
  await client.deleteRule({ params: { ruleID } });
  expect(await bell()).toEqual({ unreadCount: 0, results: [] });
});
