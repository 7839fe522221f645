import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { inspect } from 'node:util';
import { canonicalBytes } from '@earshot/contract/signing';
import { startNode } from '@earshot/server/node';
import { connect } from '@earshot/server/platform/database/connect';
import { createTestDatabase } from '@earshot/server/testing/database';
import { recordingLog } from '@earshot/server/testing/log';
import { noCaptions, testNodeOptions } from '@earshot/server/testing/server';
import { expect, onTestFinished, test } from 'vitest';
import type { Send } from './send.ts';
import { basic, sender } from './send.ts';
import { exchange } from './socket.ts';

const email = 'ada@example.org';

async function startUnclaimed() {
  const database = await createTestDatabase();
  const dataDir = await mkdtemp(join(tmpdir(), 'earshot-secrets-'));
  const secretKey = randomBytes(32);
  const log = recordingLog();
  const config = {
    host: '127.0.0.1',
    port: 0,
    dataDir,
    databaseUrl: database.url,
    secretKey,
    publicOrigin: undefined,
    admin: undefined,
    trustProxy: [],
    rateLimit: 0,
    leastFreeBytes: 1024 ** 2,
    databaseConnections: 5,
    databaseDirectUrl: undefined,
    backupBeforeUpgrade: undefined,
    drainSeconds: 0,
    role: 'all' as const,
    captions: noCaptions,
    allowNetworks: [],
    installOverHttp: false,
    eventTimes: { leaseSeconds: 300, retrySeconds: 5 },
    longPollSeconds: 60,
    storage: { url: '', accessKey: '', secretKey: '' },
    bodyIdleSeconds: 60,
    fileSweepSeconds: 60,
    rolloutSeconds: 5,
    uploadKeyLimits: { bytesPerDay: 1, transcribedMsPerDay: 1 },
    exportLimits: { most: 1, mostBytes: 1 },
    healthDays: 30,
    stateDays: 35,
    measureSeconds: 86_400,
    logDays: 30,
    deliveryDays: 30,
    changeHours: 24,
    uploadDays: 2,
    auditDays: 365,
    auditHeads: undefined,
    versionDays: 30,
    matchDays: 365,
    ruleHours: 6,
    mail: undefined,
    mqtt: undefined,
  };
  const node = await startNode(testNodeOptions(config, log));
  const db = connect(database.url, { connections: 1, name: 'earshot test' });
  onTestFinished(async () => {
    await node.stop();
    await db.end();
    await database.drop();
    await rm(dataDir, { recursive: true, force: true });
  });
  return { url: node.url, setupToken: node.setupToken ?? '', secretKey, log, db };
}

interface Key {
  readonly accessKey: string;
  readonly secretKey: string;
}

/** Signs as the client does, and also returns the signature. */
function signed({ accessKey, secretKey }: Key, method: string, path: string): Record<string, string> {
  const authorization = `HMAC-SHA256 ${accessKey}`;
  const parts = { authorization, accessKey, nonce: randomUUID(), timestamp: String(Math.floor(Date.now() / 1000)) };
  const signedBytes = canonicalBytes(
    { method, path, query: [['token', 'the-signed-query']], body: '', ...parts },
    false,
  );
  const signature = createHmac('sha256', secretKey).update(signedBytes).digest('hex');
  const { nonce, timestamp } = parts;
  return {
    authorization,
    'x-accesskey': accessKey,
    'x-nonce': nonce,
    'x-timestamp': timestamp,
    'x-signature': signature,
  };
}

const cookieOf = (headers: Record<string, unknown>) => String(headers['set-cookie']).split(';')[0] ?? '';

/** Signs in, creates keys and resets, and returns every secret that was used. */
async function useEverySecret(url: string, setupToken: string): Promise<Record<string, string>> {
  const anyone = sender(url);
  const setUp = await anyone('POST /v1/setup', { json: { token: setupToken, email, password: 'the-first-password' } });
  expect(setUp.status, setUp.text).toBe(200);
  const cookie = cookieOf(setUp.headers);
  const session: Send = sender(url, { cookie });
  const key = (await session('POST /v1/apikey')).json as Key;
  const device = (await session('POST /v1/device', { json: { deviceSerial: 'quiet' } })).json as { key: number };
  const deviceKey = (await session(`POST /v1/device/${device.key}/apikey`)).json as Key;
  const postback = ((await session('POST /v1/session/postbacksecret')).json as { postbackSecret: string })
    .postbackSecret;
  const reset = ((await session('POST /v1/user/1/passwordreset')).json as { token: string }).token;

  const withKey = sender(url, basic(key));
  const signature = signed(key, 'GET', '/v1/agenttype/list');
  const answers = [
    await withKey('GET /v1/agenttype/list?apikey=the-query-secret'),
    await anyone('GET /v1/agenttype/list?token=the-signed-query', { headers: signature }),
    await sender(url, basic(deviceKey))('POST /v1/agent', { json: { deviceSerial: 'quiet', agentType: 'Audio' } }),
    await session('PUT /v1/session/password', {
      json: { oldPassword: 'the-first-password', newPassword: 'the-second-password' },
    }),
    await anyone('POST /v1/session', { headers: { authorization: `Basic ${btoa(`${email}:the-second-password`)}` } }),
    await anyone('POST /v1/session/passwordreset', { json: { token: reset, password: 'the-third-password' } }),
  ];
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200, 200]);

  return {
    setupToken,
    cookie: cookie.split('=')[1] ?? '',
    apiSecret: key.secretKey,
    deviceSecret: deviceKey.secretKey,
    basicHeader: basic(key)['authorization']?.slice(6) ?? '',
    signature: signature['x-signature'] ?? '',
    postback,
    reset,
    first: 'the-first-password',
    second: 'the-second-password',
    third: 'the-third-password',
    query: 'the-query-secret',
    signedQuery: 'the-signed-query',
  };
}

/** All kinds of refused requests, with a secret in each place that could be quoted. */
async function failWithSecrets(url: string): Promise<void> {
  const anyone = sender(url);
  const json = { email, password: 'the-wrong-password' };
  const answers = [
    await anyone('POST /v1/session', { json }),
    await anyone('POST /v1/session', { body: '{"password": the-wrong-password' }),
    await anyone('POST /v1/session', { json: { ...json, password: ['the-wrong-password'] } }),
    await anyone('GET /v1/session', { headers: { authorization: 'Bearer the-wrong-password' } }),
    await anyone('GET /v1/session', { headers: { cookie: 'earshot_session=the-wrong-password' } }),
    await anyone('GET /v1/session', { headers: { authorization: `Basic ${btoa('x:the-wrong-password')}` } }),
    await anyone('POST /v1/setup', { json: { token: 'the-wrong-password', email, password: 'the-wrong-password' } }),
    await anyone('POST /v1/session/passwordreset', { json: { token: 'x', password: 'the-wrong-password' } }),
    await anyone('GET /nothing?secret=the-wrong-password'),
    await anyone('GET /v1/agent/%zz?secret=the-wrong-password'),
    await anyone('GET /healthz', { headers: { 'x-request-id': 'the wrong password' } }),
  ];
  for (const { status } of answers.slice(0, -1)) expect(status).toBeGreaterThanOrEqual(400);
  await exchange(url, 'GET /?the-wrong-password HTTP/1.1\r\nthe-wrong-password\r\n\r\n');
}

test('no secret is logged for successful, refused and failing requests', async () => {
  const { url, setupToken, secretKey, log, db } = await startUnclaimed();
  const secrets = await useEverySecret(url, setupToken);
  await failWithSecrets(url);
  // An internal error is logged with the message of the database.
  await db`alter table sign_in_attempts rename to away`;
  const broken = await sender(url)('POST /v1/session', { json: { email, password: 'the-third-password' } });
  expect(broken.status).toBe(500);
  expect(broken.text).not.toMatch(/sign_in|relation|postgres/i);
  await db`alter table away rename to sign_in_attempts`;

  const logged = log.lines
    .map((line) => inspect(line, { depth: 20, maxStringLength: null }) + JSON.stringify(line))
    .join('\n');
  expect(logged).toContain('/v1/session');
  expect(logged).toContain('fault');
  const all = { ...secrets, wrong: 'the-wrong-password', secretKey: secretKey.toString('base64') };
  for (const [name, secret] of Object.entries(all)) {
    expect(secret.length, name).toBeGreaterThan(8);
    expect([name, logged.includes(secret)]).toEqual([name, false]);
    const encoded = Buffer.from(secret).toString('base64').replace(/=+$/, '').slice(0, -1);
    expect([name, logged.includes(encoded)]).toEqual([name, false]);
  }
});
