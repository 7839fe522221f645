import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { personPassword } from '@earshot/server/testing/person';
import { expect } from 'vitest';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';
import type { Page } from 'playwright-core';
import { violationsOf } from './axe.ts';
import type { Console } from './console.ts';
import { overEdge } from './edges.ts';
import { wide } from './screens.ts';

/** Recordings that differ in one sample and in their own dates. */
async function writeRecordings(folder: string, count: number): Promise<void> {
  for (let at = 0; at < count; at++) {
    const path = join(folder, `${at}.wav`);
    const sound = tinyWav(0.1);
    sound.set([at % 256, Math.floor(at / 256)], sound.length - 2);
    await writeFile(path, sound);
    const seconds = 1_780_000_000 + at * 10;
    await utimes(path, seconds, seconds);
  }
}

/**
 * Chooses a folder, reloads the page after a quarter of the files has arrived, and chooses the folder again: each file
 * must arrive once. Returns the longest tasks of the page, in milliseconds.
 */
export async function uploadFolder(
  app: Console,
  folder: string,
  count: number,
  size = wide,
): Promise<readonly number[]> {
  await writeRecordings(folder, count);
  const person = await app.server.addPerson();
  const page = await app.open('/upload', { email: person.email, password: personPassword, size });
  const watchTasks = () =>
    page.evaluate(() => {
      const tasks: number[] = [];
      Object.assign(window, { longTasks: tasks });
      const observer = new PerformanceObserver((list) => tasks.push(...list.getEntries().map((task) => task.duration)));
      observer.observe({ type: 'longtask' });
    });
  const longTasks = () => page.evaluate(() => (window as unknown as { longTasks: number[] }).longTasks);
  const arrived = async () => {
    const rows = await app.server.db`
      select 1 from audio_clips c join devices d on d.key = c.device_id where d.user_id = ${person.userID}`;
    return rows.length;
  };
  const choose = () => page.getByLabel('Folder').setInputFiles(folder);

  await watchTasks();
  // Before any file is chosen, so that the upload begins with the first file.
  await page.getByRole('button', { name: 'Create device' }).click();
  await page.getByText('Files that you add are uploaded at once.').waitFor();
  await choose();
  while ((await arrived()) < count / 4) await page.waitForTimeout(50);
  const before = await longTasks();
  // Leaving asks, because uploads are under way.
  page.once('dialog', (dialog) => void dialog.accept());
  await page.reload();
  await page.getByText(/files not uploaded yet/).waitFor();
  expect(await arrived()).toBeLessThan(count);
  expect(await faultsOf(page)).toEqual([]);

  await watchTasks();
  await choose();
  const all = count.toLocaleString('en');
  await page.getByText(`${all} of ${all} files uploaded`).waitFor({ timeout: 600_000 });
  expect(await arrived()).toBe(count);
  const after = await longTasks();
  expect(await faultsOf(page)).toEqual([]);
  await page.context().close();
  return [...before, ...after].toSorted((a, b) => b - a);
}

const faultsOf = async (page: Page) => [...(await violationsOf(page)), ...(await overEdge(page))];
