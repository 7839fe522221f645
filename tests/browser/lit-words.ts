import type { Page } from 'playwright-core';
import { vi } from 'vitest';

/** Slow enough that a busy machine shows a frame during each word. */
const speed = 0.25;

/**
 * Records each highlighted word from now on, because a short one may be over before a test checks it. Sound is played
 * slowly from now on, or a word could be over before the next frame.
 */
export async function noteLitWords(page: Page): Promise<void> {
  await page.evaluate(`
    const sound = HTMLMediaElement.prototype;
    const { get, set } = Object.getOwnPropertyDescriptor(sound, 'playbackRate');
    Object.defineProperty(sound, 'playbackRate', { get, set() { set.call(this, ${speed}); } });
    const { play } = sound;
    sound.play = function () {
      this.playbackRate = 1;
      return play.call(this);
    };
    window.litWords = [];
    new MutationObserver(() => {
      const word = document.querySelector('.lit')?.textContent;
      if (word !== undefined && word !== litWords.at(-1)) litWords.push(word);
    }).observe(document.body, { subtree: true, childList: true, attributes: true })`);
}

export const notedLitWords = async (page: Page) => (await page.evaluate('litWords')) as readonly string[];

/** Waits until these words were highlighted in this order. */
export async function waitForLitWords(page: Page, words: readonly string[]): Promise<void> {
  await vi.waitUntil(async () => follow(words, await notedLitWords(page)));
}

function follow(wanted: readonly string[], noted: readonly string[]): boolean {
  let found = 0;
  for (const word of noted) if (word === wanted[found]) found += 1;
  return found === wanted.length;
}
