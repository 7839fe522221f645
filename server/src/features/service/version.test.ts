import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, test } from 'vitest';

test('the version is answered without credentials, under the name that clients read', async () => {
  const { url } = await sharedTestServer();
  const response = await fetch(new URL('/v1/version', url));
  expect(response.status).toBe(200);
  expect(await response.json()).toEqual({ Version: '0.0.0-test' });
});

test('answers, metrics and the API document name the same version', async () => {
  const { url } = await sharedTestServer();
  const metrics = await fetch(new URL('/metrics', url));
  expect(metrics.headers.get('earshot-server')).toBe('0.0.0-test');
  expect(await metrics.text()).toContain('\nearshot_build_info{version="0.0.0-test"} 1\n');
  const document = await fetch(new URL('/openapi.json', url));
  expect(await document.json()).toMatchObject({ info: { version: '0.0.0-test' } });
});
