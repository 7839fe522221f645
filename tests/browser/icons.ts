// Draws the icons of the app from the logo: npx tsx tests/browser/icons.ts
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { launchBrowser } from './browser.ts';

const folder = fileURLToPath(new URL('../../server/pages', import.meta.url));
const logo = readFileSync(join(folder, 'logo.svg'), 'utf8');
/** Without corners, because the system cuts its own shape. The drawing lies within the inner 80 %, which every shape has. */
const maskable = logo.replace('rx="8"', '');

const browser = await launchBrowser();
for (const [name, size, drawing] of [
  ['icon-192', 192, logo],
  ['icon-512', 512, logo],
  ['icon-maskable', 512, maskable],
] as const) {
  const page = await browser.newPage({ viewport: { width: size, height: size } });
  await page.setContent(`<style>body { margin: 0 } svg { display: block }</style>${drawing}`);
  await page.screenshot({ path: join(folder, `${name}.png`), omitBackground: true });
  await page.close();
}
await browser.close();
