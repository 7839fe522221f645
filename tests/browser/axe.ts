import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import type { AxeResults } from 'axe-core';
import type { Page } from 'playwright-core';

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** Accessibility violations that axe finds in a page or a part of it. */
export async function violationsOf(page: Page, part = 'html'): Promise<string[]> {
  // Evaluated from outside, because the page's content security policy blocks other scripts.
  if (!(await page.evaluate("'axe' in window"))) await page.evaluate(axe);
  const { violations } = (await page.evaluate(`axe.run('${part}')`)) as AxeResults;
  return violations.flatMap(({ id, nodes }) =>
    nodes.map(({ target, failureSummary }) => `${id} ${target.join(' ')}: ${failureSummary}`),
  );
}
