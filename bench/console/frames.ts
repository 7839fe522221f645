import type { launchBrowser } from '../../tests/browser/browser.ts';

type Page = Awaited<ReturnType<Awaited<ReturnType<typeof launchBrowser>>['newPage']>>;

export interface Frames {
  readonly perSecond: number;
  readonly p95Ms: number;
  readonly longestMs: number;
}

/** Counts the frames of some seconds, while something pans back and forth at every one of them. */
export async function framesWhile(page: Page, ms: number, panned: string | undefined): Promise<Frames> {
  const times = await page.evaluate(
    ([length, selector]) =>
      new Promise<number[]>((resolve) => {
        const stage = selector === undefined ? null : document.querySelector(selector);
        const seen: number[] = [];
        const frame = (now: number) => {
          seen.push(now);
          const since = now - (seen[0] ?? now);
          if (since > length) return resolve(seen);
          const deltaX = Math.floor(since / 1_000) % 2 === 0 ? -12 : 12;
          stage?.dispatchEvent(new WheelEvent('wheel', { deltaX, bubbles: true, cancelable: true }));
          requestAnimationFrame(frame);
        };
        requestAnimationFrame(frame);
      }),
    [ms, panned] as const,
  );
  const lengths = times.slice(1).map((time, index) => time - (times[index] ?? time));
  const sorted = lengths.toSorted((a, b) => a - b);
  const whole = (times.at(-1) ?? 0) - (times[0] ?? 0);
  return {
    perSecond: (lengths.length * 1_000) / whole,
    p95Ms: sorted[Math.floor(sorted.length * 0.95)] ?? 0,
    longestMs: sorted.at(-1) ?? 0,
  };
}
