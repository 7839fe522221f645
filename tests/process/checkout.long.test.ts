import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openCheckout } from './checkout.ts';
import { startServer, stopServer } from './server-process.ts';

test('a checkout without a build is built, and an outdated build is repeated', async () => {
  const checkout = await openCheckout();
  const dataDir = join(checkout, 'data');
  const first = await startServer({ dataDir, checkout });
  await stopServer(first);

  const source = join(checkout, 'server/src/main.ts');
  await writeFile(source, "process.stdout.write('Earshot is ready at http://built-again\\n');\n");
  const second = await startServer({ dataDir, checkout });
  expect(second.url).toBe('http://built-again');
});
