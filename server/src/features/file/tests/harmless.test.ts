import type { SharedServer } from '@earshot/server/testing/server';
import { sharedTestServer } from '@earshot/server/testing/shared-server';
import { beforeAll, describe, expect, test } from 'vitest';
import { statusOf } from '../../../../../tests/access/places.ts';
import { tinyWav } from './sound.ts';
import { addFile, announce } from './uploading.ts';

let server: SharedServer;
beforeAll(async () => {
  server = await sharedTestServer();
});

const page = new TextEncoder().encode('<!doctype html><script>alert(document.domain)</script>');
const drawing = new TextEncoder().encode('<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>');
const sound = tinyWav();

async function served(filename: string, bytes: Uint8Array<ArrayBuffer>) {
  const file = await addFile(server.admin, bytes, { filename });
  const { headers } = await server.admin.session.getFileContent({ params: { fileID: file.key } });
  return { file, headers, disposition: headers.get('content-disposition') ?? '' };
}

describe('uploaded content is never executed by a browser', () => {
  test.each([
    ['a page', 'index.html', page],
    ['a page that is named like sound', 'dawn.wav', page],
    ['a page that is named like sound of another kind', 'dawn.MP3', page],
    ['a page without a name', 'page', page],
    ['a drawing', 'a.svg', drawing],
    ['a script', 'a.js', page],
    ['a document', 'a.pdf', page],
    ['a style', 'a.css', page],
    ['data', 'a.json', page],
    ['a name with an unusual extension', 'a.wav.html', page],
  ])('%s (%s)', async (_what, filename, bytes) => {
    const { headers, disposition } = await served(filename, bytes);
    expect(headers.get('content-type')).toBe('application/octet-stream');
    expect(disposition).toMatch(/^attachment;/);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-security-policy')).toMatch(/(^|; )sandbox(;|$)/);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
  });

  test('plain text is downloaded, not shown', async () => {
    const { headers, disposition } = await served('recorder.log', page);
    expect(headers.get('content-type')).toBe('text/plain; charset=utf-8');
    expect(disposition).toMatch(/^attachment;/);
  });
});

test.each([
  ['dawn.wav', 'audio/wav'],
  ['dawn', 'audio/wav'],
  ['dawn.mp3', 'audio/wav'],
  ['dawn.html', 'audio/wav'],
])('the content type of sound comes from its bytes: %s is %s', async (filename, type) => {
  const { file, headers, disposition } = await served(filename, sound);
  expect([file.contentType, headers.get('content-type')]).toEqual([type, type]);
  expect(disposition).toMatch(/^inline;/);
});

test.each([
  'quo"te.wav',
  "it's; filename=evil.exe",
  'line\r\nset-cookie: a=b',
  'tab\t.wav',
  'Vögel im März.wav',
  '鳥🎙.wav',
  '../../../etc/passwd',
  '..\\..\\boot.ini',
  '/absolute',
  '.htaccess',
  'x'.repeat(255),
  '%00%0d%0a',
])('a file may be named %j, and the name is escaped', async (filename) => {
  const { file, headers, disposition } = await served(filename, sound);
  expect(file.filename).toBe(filename);
  expect(headers.get('set-cookie')).toBeNull();
  const [, plain = '', encoded = ''] =
    /^inline; filename="([\x20\x21\x23-\x24\x26-\x5b\x5d-\x7e]+)"; filename\*=UTF-8''([A-Za-z0-9!#$&+.^_`|~%-]+)$/.exec(
      disposition,
    ) ?? [];
  for (const name of [plain, decodeURIComponent(encoded)]) {
    expect(name).not.toMatch(/[/\\\r\n\t]/);
    expect(name).not.toMatch(/^\./);
  }
  const isOrdinary = !/[/\\\r\n\t]|^\./.test(filename);
  if (isOrdinary) expect(decodeURIComponent(encoded)).toBe(filename);
});

test.each([
  [{ filename: '' }, 400],
  [{ filename: 'x'.repeat(256) }, 400],
  [{ filename: 'a\0b' }, 400],
  [{ fileSize: -1 }, 400],
  [{ fileSize: 68_719_476_737 }, 400],
  [{ sHA256Hash: 'abc' }, 400],
  [{ sHA256Hash: 'G'.repeat(64) }, 400],
  [{ sHA256Hash: 'ABCDEF0123456789'.repeat(4) }, 200],
  [{ deviceSerial: 'nobody-has-this' }, 404],
])('a file with %j: %d', async (changes, status) => {
  expect(await statusOf(announce(server.admin, sound, changes))).toBe(status);
});
