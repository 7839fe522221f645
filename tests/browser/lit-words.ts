import type { Page } from 'playwright-core';
import { vi } from 'vitest';

/** Records each highlighted word from now on, because a short one may be over before a test checks it. */
export async function noteLitWords(page: Page): Promise<void> {
  await page.evaluate(`
    window.litWords = [];
    new MutationObserver(() => {
      const word = document.querySelector('.lit')?.textContent;
      if (word !== undefined && word !== litWords.at(-1)) litWords.push(word);
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
}

export const notedLitWords = async (page: Page) => (await page.evaluate('litWords')) as readonly string[];

/** Waits until these words were highlighted in this order. */
export async function waitForLitWords(page: Page, words: readonly string[]): Promise<void> {
  await vi.waitUntil(async () => follow(words, await notedLitWords(page)), { timeout: 15_000 });
}

function follow(wanted: readonly string[], noted: readonly string[]): boolean {
  let found = 0;
  for (const word of noted) if (word === wanted[found]) found += 1;
  return found === wanted.length;
}
