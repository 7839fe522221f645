import type { launchBrowser } from '../../tests/browser/browser.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newPage']>>;

export interface Frames {
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly longestMs: number;
}

/** Runs in the page; as text, because the compiler of this file would add helpers that the page does not have. */
const countFrames = (ms: number, panned: string) => `new Promise((resolve) => {
  const stage = document.querySelector(${JSON.stringify(panned)});
  const seen = [];
  const frame = (now) => {
    seen.push(now);
    const since = now - seen[0];
    if (since > ${ms}) return resolve(seen);
    const deltaX = Math.floor(since / 1000) % 2 === 0 ? -12 : 12;
    stage?.dispatchEvent(new WheelEvent('wheel', { deltaX, bubbles: true, cancelable: true }));
    requestAnimationFrame(frame);
  };
  requestAnimationFrame(frame);
})`;

/** Counts frames for some seconds while something pans back and forth. */
export async function framesWhile(page: Page, ms: number, panned: string): Promise<Frames> {
  const times = (await page.evaluate(countFrames(ms, panned))) as number[];
  const lengths = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = lengths.toSorted((a, b) => a - b);
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    perSecond: (lengths.length * 1_000) / whole,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  };
}
