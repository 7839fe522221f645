import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, test } from 'vitest';
import { findInstallFacts } from '../availability.ts';
import { writeScript } from '../script.ts';

const shipped = {
  version: '1.0.0',
  sha256: 'a'.repeat(64),
  launchSha256: 'b'.repeat(64),
  script: "server='@server@'\n",
};
const find = (publicOrigin: string | undefined, installOverHttp = false) =>
  findInstallFacts({ publicOrigin, installOverHttp }, shipped);

test.each(['https://earshot.example.org', 'https://[2001:db8::1]:8443', 'http://localhost:8080', 'http://127.0.0.1:1'])(
  '%s can be used',
  (server) => expect(find(server)).toEqual({ server, agent: shipped }),
);

test('http across a network must be allowed', () => {
  expect(find('http://192.168.1.20')).toContain('EARSHOT_INSTALL_OVER_HTTP=yes');
  expect(find('http://localhost.example.org')).toContain('EARSHOT_INSTALL_OVER_HTTP=yes');
  expect(find('http://192.168.1.20', true)).toMatchObject({ server: 'http://192.168.1.20' });
});

test('an address that a shell could read as a command is refused', () => {
  for (const host of ['a$(id)', "a'b", 'a;b', 'a`b`']) {
    const { origin } = new URL(`https://${host}`);
    expect(find(origin)).toContain('only letters, digits');
    expect(() => writeScript({ server: origin, agent: shipped })).toThrow('cannot be filled in');
  }
});

test('without the address or the agent, the server says what to do', async () => {
  expect(find(undefined)).toContain('EARSHOT_PUBLIC_URL');
  expect(findInstallFacts({ publicOrigin: 'https://example.org', installOverHttp: false }, undefined)).toContain(
    'npm run build',
  );
  const server = await sharedTestServer();
  const answer = await fetch(`${server.url}/install`, { headers: { host: 'evil.example.org' } });
  expect(answer.status).toBe(409);
  expect(await answer.json()).toMatchObject({ detail: expect.stringContaining('EARSHOT_PUBLIC_URL') });
  expect(await server.admin.session.getInstallation()).toMatchObject({
    unavailableBecause: expect.stringContaining('EARSHOT_PUBLIC_URL'),
  });
  const unknown = await fetch(`${server.url}/install/agent/${'0'.repeat(64)}.mjs`);
  expect(unknown.status).toBe(404);
});
