import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Custody } from '@earshot/contract/custody';
import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { makeWav } from '../testing/make-wav.ts';
import { signedIn } from '../testing/people.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.stop());

test('a custody file is exported and checked offline: consistent, signed, verified, or wrong', async () => {
  const cli = await signedIn(server);
  const { key: deviceID = 0 } = await server.admin.session.createDevice({ body: { deviceSerial: 'gate' } });
  const clip = await server.admin.session.createAudioClip({ body: { deviceID, startTime: 1_794_704_400 } });
  const sound = new Uint8Array(makeWav(2, 1));
  await server.admin.session.putAudioClipContent({ params: { audioClipID: clip.key ?? 0 }, body: sound });
  await writeFile(join(cli.home, 'gate.wav'), sound);
  await writeFile(join(cli.home, 'other.wav'), makeWav(2, 2));

  const userID = server.admin.userID;
  await server.db`
    insert into audit_entries (action, user_id, rule_id, device_id, record_key)
    values ('clip-locked', ${userID}, 7, ${deviceID}, ${clip.key ?? 0})`;

  expect(await cli.run(['custody', String(clip.key), '--output', 'custody.json'])).toMatchObject({ code: 0, out: '' });
  const text = await readFile(join(cli.home, 'custody.json'), 'utf8');
  const { custody } = JSON.parse(text) as Custody;
  await mkdir(join(cli.home, 'heads'));
  await writeFile(join(cli.home, 'heads/last.txt'), custody.head ?? '');

  // Nothing of it needs the server or a credential.
  const verify = (...more: readonly string[]) =>
    cli.run(['verify-custody', 'custody.json', ...more], { env: { EARSHOT_URL: 'http://127.0.0.1:1' } });
  const key = ['--key', custody.keys[0]?.fingerprint ?? ''];
  const plain = await verify();
  expect(plain.code).toBe(0);
  expect(plain.out).toContain(`Clip ${clip.key} of device ${deviceID} (gate)`);
  expect(plain.out).toContain('custody-exported  by person');
  expect(plain.out).toContain(`clip-locked  by rule 7 of person ${userID}`);
  expect(plain.out).toMatch(/^Consistent/m);
  expect((await verify(...key)).out).toMatch(/^Signed/m);
  expect((await verify(...key, '--heads', 'heads', '--sound', 'gate.wav')).out).toMatch(/^Verified/m);
  expect((await verify(...key, '--heads', 'heads', '--json')).records()).toEqual([
    { verdict: 'verified', faults: [], keptSize: expect.any(Number) as number },
  ]);

  expect((await verify('--sound', 'other.wav')).err).toContain('not that of the clip');
  expect(await verify('--key', '00'.repeat(32))).toMatchObject({ code: 1 });
  await writeFile(join(cli.home, 'custody.json'), text.replace('"startTime": 1794704400', '"startTime": 1794704401'));
  const changed = await verify(...key);
  expect(changed.code).toBe(1);
  expect(changed.err).toContain('it was changed');
});
