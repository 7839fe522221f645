import { once } from 'node:events';
import { createServer } from 'node:tls';
import type { AddressInfo } from 'node:net';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { expect, onTestFinished, test } from 'vitest';
import { suggestWords } from './completion.ts';
import { program } from './commands.ts';
import type { Cli } from './testing/run-cli.ts';
import { openCli } from './testing/run-cli.ts';

/** With a key of a person of their own, and without the address of the server. */
async function withoutAddress(): Promise<{ cli: Cli; url: string }> {
  const server = await sharedTestServer();
  const person = await server.addPerson();
  const { credential } = await person.withKey();
  await person.session.createDevice({ body: { deviceSerial: `common-${person.userID}` } });
  const cli = await openCli({
    EARSHOT_ACCESS_KEY: credential.accessKey,
    EARSHOT_SECRET_KEY: credential.secretKey,
  });
  return { cli, url: server.url };
}

test('options of every command may stand before the command', async () => {
  const { cli, url } = await withoutAddress();
  for (const words of [
    ['--url', url, 'devices', '--json'],
    [`--url=${url}`, '--json', 'devices'],
    ['devices', '--url', url, '--json'],
  ]) {
    const listed = await cli.run(words);
    expect(listed.code, listed.err).toBe(0);
    expect(listed.records()).toHaveLength(1);
  }
  const inGroup = await cli.run(['--json', 'events', '--url', url, 'list']);
  expect(inGroup, inGroup.err).toMatchObject({ code: 0, out: '' });
  expect((await cli.run(['--url', url, '--help'])).out).toContain('Commands');
  expect((await cli.run(['--url', url, '--version'])).code).toBe(0);
  expect((await cli.run(['-h', 'devices'])).out).toContain('earshot devices [OPTIONS]');
});

test('an option before the command that is not one of every command is refused with what to do', async () => {
  const { cli, url } = await withoutAddress();
  const unknown = await cli.run(['--limit', '3', 'devices']);
  expect(unknown).toMatchObject({ code: 2 });
  expect(unknown.err).toContain('There is no option --limit here');
  const missing = await cli.run(['--url']);
  expect(missing).toMatchObject({ code: 2 });
  expect(missing.err).toContain('--url needs a value: --url ADDRESS.');
  const alone = await cli.run(['--url', url]);
  expect(alone).toMatchObject({ code: 2 });
  expect(alone.err).toContain('Commands');
});

test('completion passes over options before the command', async () => {
  const none = async () => [];
  expect(await suggestWords(program, ['--url', 'https://earshot.example.org', 'devi'], none)).toEqual(['devices']);
  expect(await suggestWords(program, ['--json', 'events', '--url=https://x', 'li'], none)).toEqual(['list']);
  expect(await suggestWords(program, ['--url', 'https://'], none)).toEqual([]);
  expect(await suggestWords(program, ['--u'], none)).toEqual(['--url']);
});

test('a search for devices without a match does not say that there are none', async () => {
  const { cli, url } = await withoutAddress();
  const search = async (...words: string[]) => (await cli.run(['devices', '--url', url, ...words])).err;
  expect(await search('zeppelin')).toBe('No device matches “zeppelin”. “earshot devices” lists all devices.\n');
  expect(await search('common', '--online')).toBe(
    'No device that is online matches “common”. “earshot devices” lists all devices.\n',
  );
  expect(await search('--online')).toBe('No device is online. “earshot devices” lists all devices.\n');
  const server = await sharedTestServer();
  const newcomer = await server.addPerson();
  const { credential } = await newcomer.withKey();
  const env = { EARSHOT_ACCESS_KEY: credential.accessKey, EARSHOT_SECRET_KEY: credential.secretKey };
  expect((await cli.run(['devices', '--url', url], { env })).err).toContain('No devices. “earshot upload');
});

test.each(['127.0.0.1', '[::1]'])('TLS to the address %s is checked without a warning of Node', async (host) => {
  const listener = createServer({});
  await once(listener.listen(0, host.replaceAll(/[[\]]/g, '')), 'listening');
  const warnings: string[] = [];
  const note = ({ message }: Error) => void warnings.push(message);
  process.on('warning', note);
  onTestFinished(() => {
    process.off('warning', note);
    listener.close();
  });
  const cli = await openCli();
  const url = `https://${host}:${(listener.address() as AddressInfo).port}`;
  const { out } = await cli.run(['doctor', '--json', '--url', url]);
  // Warnings are emitted on the next tick.
  await new Promise((resolve) => setImmediate(resolve));
  const check = out.split('\n').find((line) => line.includes('"Encryption"'));
  // The listener has no certificate.
  expect(check).toContain('handshake failure');
  expect(warnings.filter((text) => text.includes('ServerName'))).toEqual([]);
});
