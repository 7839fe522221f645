import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import type { Problem } from './problems.ts';
import { exchange } from './socket.ts';

let server: SharedServer;
let cookie: string;
beforeAll(async () => {
  server = await sharedTestServer();
  cookie = `Cookie: ${server.admin.cookie}\r\n`;
});

/** Bytes after a refused message: if they were processed, a device would be added. */
const smuggled = (serial: string): string => {
  const body = JSON.stringify({ deviceSerial: serial });
  return `POST /v1/device HTTP/1.1\r\nHost: x\r\n${cookie}Content-Length: ${body.length}\r\n\r\n${body}`;
};

/** Sends bytes, alone and followed by others; expects one problem, a closed connection, and no other effect. */
async function expectRefused(text: string, status: number): Promise<void> {
  const serial = `smuggled-${Math.random().toString(36).slice(2)}`;
  for (const sent of [text, text + smuggled(serial)]) {
    const answer = await exchange(server.url, Buffer.from(sent, 'latin1'));
    expect(answer).toMatchObject({
      status,
      headers: { 'content-type': 'application/problem+json; charset=utf-8', connection: 'close' },
    });
    expect(JSON.parse(answer.body) as Problem).toMatchObject({ type: `/api#error-${status}`, status });
  }
  const devices = await server.admin.session.listDevices({ body: { searchText: serial } });
  expect(devices).toEqual([]);
}

const get = (headers: string, version = 'HTTP/1.1') => `GET /v1/session ${version}\r\n${headers}\r\n`;
const post = (headers: string, body: string, version = 'HTTP/1.1') =>
  `POST /v1/device/list ${version}\r\nHost: x\r\n${headers}\r\n${body}`;
const chunks = '2\r\n{}\r\n0\r\n\r\n';

describe('refused with 400, and the connection closed', () => {
  test.each<[string, () => string]>([
    ['two Hosts', () => get(`Host: a\r\nHost: b\r\n${cookie}`)],
    ['the same Host twice', () => get(`Host: a\r\nhost: a\r\n${cookie}`)],
    ['two Hosts in HTTP/1.0', () => get(`Host: a\r\nHost: b\r\n${cookie}`, 'HTTP/1.0')],
    ['two Hosts in one', () => get(`Host: a, b\r\n${cookie}`)],
    ['a Host with a path', () => get(`Host: a/b\r\n${cookie}`)],
    ['a Host with a name', () => get(`Host: user@a\r\n${cookie}`)],
    ['a Host with an invalid port', () => get(`Host: a:b\r\n${cookie}`)],
    ['two Authorizations', () => get('Host: x\r\nAuthorization: Basic YTpi\r\nAuthorization: Basic Yzpk\r\n')],
    ['two Cookies', () => get(`Host: x\r\n${cookie}${cookie}`)],
    ['two Origins', () => get(`Host: x\r\n${cookie}Origin: http://x\r\nOrigin: http://y\r\n`)],
    ['two nonces', () => get('Host: x\r\nX-Nonce: a\r\nX-Nonce: b\r\n')],
    ['two timestamps', () => get('Host: x\r\nX-Timestamp: 1\r\nX-Timestamp: 2\r\n')],
    ['two access keys', () => get('Host: x\r\nX-AccessKey: a\r\nX-AccessKey: b\r\n')],
    ['two signatures', () => get('Host: x\r\nX-Signature: a\r\nX-Signature: b\r\n')],
    [
      'two content types',
      () => post(`${cookie}Content-Type: application/json\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n`, '{}'),
    ],
    ['HTTP/0.9', () => 'GET /healthz\r\n\r\n'],
    ['chunks in HTTP/1.0', () => post(`${cookie}Transfer-Encoding: chunked\r\n`, chunks, 'HTTP/1.0')],
    ['chunked twice', () => post(`${cookie}Transfer-Encoding: chunked, chunked\r\n`, chunks)],
    [
      'chunked in two lines',
      () => post(`${cookie}Transfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n`, chunks),
    ],
    ['chunked not last', () => post(`${cookie}Transfer-Encoding: chunked, gzip\r\n`, chunks)],
    ['gzip without chunks', () => post(`${cookie}Transfer-Encoding: gzip\r\n`, '{}')],
    ['identity', () => post(`${cookie}Transfer-Encoding: identity\r\nContent-Length: 2\r\n`, '{}')],
    ['a misspelt chunked', () => post(`${cookie}Transfer-Encoding: xchunked\r\n`, chunks)],
    ['a length and chunks', () => post(`${cookie}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n`, chunks)],
    ['two lengths', () => post(`${cookie}Content-Length: 2\r\nContent-Length: 3\r\n`, '{}')],
    ['the same length twice', () => post(`${cookie}Content-Length: 2\r\nContent-Length: 2\r\n`, '{}')],
    ['two lengths in one', () => post(`${cookie}Content-Length: 2, 2\r\n`, '{}')],
    ['a length with a sign', () => post(`${cookie}Content-Length: +2\r\n`, '{}')],
    ['a length in hex', () => post(`${cookie}Content-Length: 0x2\r\n`, '{}')],
    ['a folded header', () => get(`Host: x\r\nX-Note: a\r\n b\r\n${cookie}`)],
    ['a first header that is folded', () => get(` Host: x\r\n${cookie}`)],
    ['a space before the colon', () => get(`Host: x\r\nAuthorization : Basic YTpi\r\n${cookie}`)],
    ['lines that end with a line feed alone', () => `GET /healthz HTTP/1.1\nHost: x\n${cookie}\n`],
    ['a future version', () => get(`Host: x\r\n${cookie}`, 'HTTP/3.0')],
  ])('%s', (_name, text) => expectRefused(text(), 400));
});

describe('refused with 501, and the connection closed', () => {
  test.each(['gzip, chunked', 'GZIP,Chunked', 'deflate, gzip, chunked'])('Transfer-Encoding: %s', (codings) =>
    expectRefused(post(`${cookie}Transfer-Encoding: ${codings}\r\n`, chunks), 501),
  );

  test('the same in two lines', () =>
    expectRefused(post(`${cookie}Transfer-Encoding: gzip\r\nTransfer-Encoding: chunked\r\n`, chunks), 501));
});

describe('served', () => {
  test.each<[string, () => string]>([
    ['chunks', () => post(`${cookie}Connection: close\r\nTransfer-Encoding: Chunked\r\n`, chunks)],
    ['a Host with a port', () => get(`Host: example.org:8080\r\n${cookie}Connection: close\r\n`)],
    ['a Host that is an IPv6 address', () => get(`Host: [2001:db8::1]:8080\r\n${cookie}Connection: close\r\n`)],
    ['a Host with an underscore', () => get(`Host: earshot_server_1\r\n${cookie}Connection: close\r\n`)],
    ['an empty Host', () => get(`Host:\r\n${cookie}Connection: close\r\n`)],
    ['HTTP/1.0 without a Host', () => get(cookie, 'HTTP/1.0')],
    ['lists in two lines', () => get(`Host: x\r\n${cookie}Accept: text/html\r\nAccept: */*\r\nConnection: close\r\n`)],
    [
      'headers that proxies add as separate lines',
      () =>
        get(
          `Host: x\r\n${cookie}X-Forwarded-For: 10.0.0.1\r\nX-Forwarded-For: 10.0.0.2\r\nVia: a\r\nVia: b\r\nConnection: close\r\n`,
        ),
    ],
  ])('%s', async (_name, text) => {
    expect((await exchange(server.url, text())).status).toBe(200);
  });
});
