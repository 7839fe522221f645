import * as contract from '@earshot/contract/gateway';
import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';

/* Requests that no recorder sends: every response has a status that the operation declares. */

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

const form = 'application/x-www-form-urlencoded';
const multipart = 'multipart/form-data; boundary=b';
const part = (name: string, text: string) => `--b\r\ncontent-disposition: form-data; name="${name}"\r\n\r\n${text}\r\n`;

const requests: Readonly<Record<string, RequestInit & { readonly path?: string }>> = {
  'no body': {},
  'no content type': { body: new TextEncoder().encode('api_key=x') },
  JSON: { headers: { 'content-type': 'application/json' }, body: '{"api_key":"x"}' },
  'an encoded form': { headers: { 'content-type': form }, body: 'api_key=x' },
  'a wrong escape': { headers: { 'content-type': form }, body: 'api_key=%zz' },
  'no boundary': { headers: { 'content-type': 'multipart/form-data' }, body: part('api_key', 'x') },
  'a form that breaks off': { headers: { 'content-type': multipart }, body: part('api_key', 'x').slice(0, -4) },
  'a part without a name': { headers: { 'content-type': multipart }, body: '--b\r\n\r\nx\r\n--b--\r\n' },
  'a part that is too long': {
    headers: { 'content-type': multipart },
    body: `${part('other', 'x'.repeat(300_000))}--b--\r\n`,
  },
  'an encoded form that is too long': { headers: { 'content-type': form }, body: `other=${'x'.repeat(2_000_000)}` },
  'too many parts': { headers: { 'content-type': multipart }, body: `${part('other', 'x').repeat(300)}--b--\r\n` },
  'another language of answers': {
    headers: { 'content-type': form, accept: 'image/png' },
    body: 'api_key=x',
  },
  'a compressed body': { headers: { 'content-type': form, 'content-encoding': 'gzip' }, body: 'api_key=x' },
  'a wrong short name': { path: '/openmhz/a%20b/', headers: { 'content-type': form }, body: 'api_key=x' },
  'a long short name': { path: `/openmhz/${'a'.repeat(300)}/`, headers: { 'content-type': form }, body: 'api_key=x' },
  'a NUL in the short name': { path: '/openmhz/a%00b/', headers: { 'content-type': form }, body: 'api_key=x' },
  'another origin': { headers: { 'content-type': form, origin: 'https://elsewhere.example' }, body: 'api_key=x' },
};

describe.each(Object.entries(contract))('%s', (_name, { path, gateway }) => {
  test.each(Object.entries(requests))('%s', async (_title, { path: given, ...request }) => {
    await server.db`delete from sign_in_attempts`;
    const target = given && path.includes('{') ? given + path.split('/').at(-1) : path.replace('{shortName}', 'county');
    const response = await fetch(new URL(target, server.url), { method: 'POST', ...request });
    expect(Object.keys(gateway!.answers)).toContain(String(response.status));
    expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  });
});
