import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, test } from 'vitest';

test('the version is answered without credentials, under the name that clients read', async () => {
  const { url } = await sharedTestServer();
  const response = await fetch(new URL('/v1/version', url));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ Version: '0.0.0-test' });
});
