import type { launchBrowser } from '../../tests/browser/browser.ts';
import type { LongClip } from '../../tests/browser/long-clip.ts';
import { makeLongClip } from '../../tests/browser/long-clip.ts';
import { createPeople } from '@earshot/server/testing/person';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import type { Bench, Goal } from '../open-bench.ts';
import { longestTaskWhile } from './tasks.ts';

type Browser = Awaited<ReturnType<typeof launchBrowser>>;
type Page = Awaited<ReturnType<Browser['newPage']>>;

export const transcriptGoals = {
  'time until the wanted word is highlighted': { atMost: 1_000, unit: 'ms' },
  // A browser calls a longer task of the main thread a long one.
  'longest task of the main thread meanwhile': { atMost: 50, unit: 'ms' },
} as const satisfies Record<string, Goal>;

type TranscriptBench = Pick<Bench<keyof typeof transcriptGoals, unknown>, 'say' | 'judge'>;

/**
 * Runs in the page, as text: on every frame notes whether the wanted word is highlighted on the screen. `since` is the
 * time at which the page was asked for it.
 */
const watchPlace = (text: string, since: string) => `new Promise((resolve) => {
  const since = ${since};
  const look = () => {
    const lit = document.querySelector('.word.lit');
    const place = lit?.textContent === ${JSON.stringify(text)} ? lit.getBoundingClientRect() : undefined;
    const top = document.querySelector('.player')?.getBoundingClientRect().bottom ?? 0;
    if (place && place.top >= top && place.bottom <= innerHeight) resolve(performance.now() - since);
    else requestAnimationFrame(look);
  };
  look();
})`;

const goTo = (second: number, text: string) => `(() => {
  const asked = performance.now();
  history.pushState(null, '', '?t=${second}');
  dispatchEvent(new PopStateEvent('popstate'));
  return ${watchPlace(text, 'asked')};
})()`;

interface Measured {
  readonly placeMs: number;
  readonly taskMs: number;
}

async function measure(browser: Browser, page: Page, act: () => Promise<number>): Promise<Measured> {
  let placeMs = 0;
  const taskMs = await longestTaskWhile(browser, page, async () => {
    placeMs = await act();
    // What the page does after the place is right counts too.
    await page.waitForTimeout(500);
  });
  return { placeMs, taskMs };
}

const middle = (all: readonly Measured[], of: keyof Measured): number =>
  all.map((one) => one[of]).toSorted((a, b) => a - b)[Math.floor(all.length / 2)]!;
const most = (all: readonly Measured[], of: keyof Measured): number => Math.max(...all.map((one) => one[of]));

/** A transcript of four hours and 30,000 words: the time to any place in it, and the longest task meanwhile. */
export async function measureTranscript(
  browser: Browser,
  url: string,
  bench: TranscriptBench,
  rounds: number,
): Promise<void> {
  const { session } = await createPeople(url).signIn(adminEmail, adminPassword);
  await session.createDevice({ body: { deviceSerial: 'bench-transcript', autoCaption: false } });
  const long = await makeLongClip(session, 'bench-transcript', Math.floor(Date.now() / 1_000) - 20_000);
  const context = await browser.newContext({ viewport: { width: 1_280, height: 900 }, baseURL: url });
  await context.request.post('/v1/session', { data: { email: adminEmail, password: adminPassword } });
  const page = await context.newPage();
  const seen: Record<'empty' | 'open' | 'jump' | 'playing', Measured[]> = {
    empty: [],
    open: [],
    jump: [],
    playing: [],
  };
  const secondOf = ({ words }: LongClip, at: number) => (words[at]!.startMs + 1) / 1_000;
  const jump = (at: number) => page.evaluate<number>(goTo(secondOf(long, at), long.words[at]!.text));
  // Alternating, so that load on the machine affects all equally.
  for (let round = 0; round < rounds; round += 1) {
    await page.goto('about:blank');
    seen.empty.push(
      await measure(browser, page, async () => {
        await page.goto('data:text/html,<p>');
        return page.evaluate<number>('new Promise((done) => requestAnimationFrame(() => done(performance.now())))');
      }),
    );
    const at = 20_000 + round * 1_000;
    seen.open.push(
      await measure(browser, page, async () => {
        await page.goto(`/clips/${long.clipID}?t=${secondOf(long, at)}&q=${long.words[at]!.text}`, {
          waitUntil: 'commit',
        });
        return page.evaluate<number>(watchPlace(long.words[at]!.text, '0'));
      }),
    );
    seen.jump.push(await measure(browser, page, () => jump(5_000 + round * 1_000)));
    await page.getByRole('button', { name: 'Play', exact: true }).click();
    seen.playing.push(await measure(browser, page, () => jump(12_000 + round * 1_000)));
    await page.getByRole('button', { name: 'Pause' }).click();
  }
  await context.close();
  const reference = `${middle(seen.empty, 'placeMs').toFixed(0)} ms, longest task ${most(seen.empty, 'taskMs').toFixed(0)} ms`;
  bench.say(`${long.words.length.toLocaleString('en')} words in four hours; an empty page is shown after ${reference}`);
  for (const [name, text] of [
    ['open', 'opened at a word'] as const,
    ['jump', 'moved to another word'] as const,
    ['playing', 'moved while playing'] as const,
  ]) {
    bench.judge('time until the wanted word is highlighted', middle(seen[name], 'placeMs'), {
      of: text,
      details: `at most ${most(seen[name], 'placeMs').toFixed(0)} ms`,
    });
    bench.judge('longest task of the main thread meanwhile', middle(seen[name], 'taskMs'), {
      of: text,
      details: `at most ${most(seen[name], 'taskMs').toFixed(0)} ms`,
    });
  }
}
