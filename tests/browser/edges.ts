import type { Page } from 'playwright-core';

/** Elements that overflow the right edge of the page. */
export function overEdge(page: Page): Promise<readonly string[]> {
  return page.evaluate(() => {
    if (document.documentElement.scrollWidth <= innerWidth) return [];
    const beyond = [...document.querySelectorAll('body *')].filter(
      (element) => element.getBoundingClientRect().right > innerWidth + 0.5,
    );
    const names = beyond.slice(0, 5).map(({ tagName, className }) => `${tagName.toLowerCase()}.${className}`);
    return [`runs over its edge: ${names.join(' ')}`];
  });
}
