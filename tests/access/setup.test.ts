import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { ask, cookieBack, cookieSet } from './ask.ts';
import { findInClear, readWholeDatabase } from './clear-secrets.ts';
import type { Installation } from './unclaimed.ts';
import { createInstallation } from './unclaimed.ts';

let installation: Installation;
beforeEach(async () => {
  installation = await createInstallation();
});
afterEach(() => installation.stop());

const password = 'the first of all passwords';
const setUp = (url: string, token: string | undefined, email = 'first@example.org', chosen = password) =>
  ask(url, 'POST', '/v1/setup', { body: { token, email, password: chosen } });
const signIn = async (url: string, email: string, chosen: string) =>
  (await ask(url, 'POST', '/v1/session', { body: { email, password: chosen } })).status;
const peopleIn = async ({ db }: Installation): Promise<readonly string[]> =>
  (await db<{ email: string }[]>`select email from users order by email`).map(({ email }) => email);

describe('the first start without a configured admin', () => {
  test('gives a token that creates the first account, an admin, and signs it in', async () => {
    const { url, setupToken } = await installation.start();
    expect(setupToken).toMatch(/^[\w-]{32,}$/);
    const answer = await setUp(url, setupToken, 'First@Example.org');
    expect(answer).toMatchObject({ status: 200, json: { email: 'first@example.org', role: 'admin', current: true } });
    expect(cookieSet(answer).split('; ')).toEqual(expect.arrayContaining(['HttpOnly', 'SameSite=Strict', 'Path=/']));
    const entries = await installation.db<{ action: string }[]>`select action from audit_entries`;
    expect(entries).toEqual([{ action: 'sign-in' }]);

    const headers = { cookie: cookieBack(answer) };
    const body = { email: 'second@example.org', password };
    expect((await ask(url, 'POST', '/v1/user', { headers, body })).status).toBe(200);
    expect(await signIn(url, 'first@example.org', password)).toBe(200);
  });

  test('does not store the token unencrypted in the database', async () => {
    const { setupToken = '' } = await installation.start();
    const [row] = await installation.db<{ tokens: number }[]>`select count(*)::int as tokens from setup_tokens`;
    expect(row?.tokens).toBe(1);
    const secrets = [{ name: 'the set-up token', secret: setupToken }];
    expect(findInClear(secrets, await readWholeDatabase(installation))).toEqual([]);
  });

  test('refuses a set-up without the token', async () => {
    const { url, setupToken } = await installation.start();
    expect((await setUp(url, 'made up')).status).toBe(401);
    expect((await setUp(url, `${setupToken}x`)).status).toBe(401);
    expect([(await setUp(url, '')).status, (await setUp(url, undefined)).status]).toEqual([400, 400]);
    expect((await ask(url, 'POST', '/v1/user', { body: { email: 'x@example.org', password } })).status).toBe(401);
    expect(await signIn(url, 'first@example.org', password)).toBe(401);
    expect(await peopleIn(installation)).toEqual([]);
  });

  test('keeps the token valid after an invalid request', async () => {
    const { url, setupToken } = await installation.start();
    expect((await setUp(url, setupToken, 'no address')).status).toBe(400);
    expect((await setUp(url, setupToken, 'first@example.org', 'short')).status).toBe(400);
    expect((await setUp(url, setupToken)).status).toBe(200);
  });

  test('gives a token that is valid for an hour; the next start gives another', async () => {
    const { url, setupToken } = await installation.start();
    const [row] = await installation.db<{ minutes: number }[]>`
      select round(extract(epoch from expiration_date - now()) / 60)::int as minutes from setup_tokens`;
    expect(row?.minutes).toBe(60);
    await installation.db`update setup_tokens set expiration_date = now() - interval '1 second'`;
    expect((await setUp(url, setupToken)).status).toBe(401);

    const next = await installation.start();
    expect(next.setupToken).not.toBe(setupToken);
    expect((await setUp(url, next.setupToken)).status).toBe(200);
  });
});

describe('when an account exists', () => {
  test('the token is used up, and every set-up gets 409', async () => {
    const first = await installation.start();
    const second = await installation.start();
    expect((await setUp(first.url, first.setupToken)).status).toBe(200);
    for (const token of [first.setupToken, second.setupToken, 'made up']) {
      expect((await setUp(first.url, token, 'second@example.org')).status).toBe(409);
      expect((await setUp(second.url, token, 'second@example.org')).status).toBe(409);
    }
    expect(await peopleIn(installation)).toEqual(['first@example.org']);
    expect((await installation.start()).setupToken).toBeUndefined();
  });

  test('the configured admin is not created', async () => {
    const { url, setupToken } = await installation.start();
    await setUp(url, setupToken);
    await installation.start({ admin: { email: 'late@example.org', password: 'configured too late' } });
    expect(await peopleIn(installation)).toEqual(['first@example.org']);
  });

  test('concurrent set-ups on several nodes with several tokens create one account', async () => {
    const nodes = [await installation.start(), await installation.start()];
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_value, index) => {
        const [asked, printed] = [nodes[index % 2]!, nodes[Math.floor(index / 2) % 2]!];
        return setUp(asked.url, printed.setupToken, `person-${index}@example.org`);
      }),
    );
    const statuses = answers.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([200, ...Array.from({ length: 9 }, () => 409)]);
    const winner = answers.find(({ status }) => status === 200)?.json as { email: string };
    expect(await peopleIn(installation)).toEqual([winner.email]);
  });
});

test('with a configured admin there is no token, and several nodes that start at once create one account', async () => {
  const admin = { email: 'Configured@Example.org', password: 'set by the operator' };
  const nodes = await Promise.all([1, 2, 3].map(() => installation.start({ admin })));
  expect(nodes.map(({ setupToken }) => setupToken)).toEqual([undefined, undefined, undefined]);
  expect(await peopleIn(installation)).toEqual(['configured@example.org']);
  for (const { url } of nodes) expect(await signIn(url, admin.email, admin.password)).toBe(200);
  expect((await setUp(nodes[0]!.url, 'made up')).status).toBe(409);
});
