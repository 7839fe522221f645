import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What fades has other colours meanwhile. What turns for ever, as while something loads, is not waited for. */
const waitForTransitions = (page: Page): Promise<unknown> =>
  page.evaluate(() => {
    const passing = document.getAnimations().filter(({ playState, effect }) => {
      return playState === 'running' && effect?.getComputedTiming().endTime !== Infinity;
    });
    return Promise.allSettled(passing.map(({ finished }) => finished)).then(() => true);
  });

/** Accessibility violations that axe finds in a page or a part of it. */
export async function violationsOf(page: Page, part = 'html'): Promise<string[]> {
  await waitForTransitions(page);
  // Evaluated from outside, because the page's content security policy blocks other scripts.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  // Without what passed, which takes axe most of its time to describe and is most of what it returns; and without the
  // style sheets, which only an experimental rule reads.
  const options = `{ resultTypes: ['violations'], preload: { assets: ['media'] } }`;
  const run = `axe.run('${part}', ${options}).then(({ violations }) => violations)`;
  const violations = (await page.evaluate(run)) as AxeResults['violations'];
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
