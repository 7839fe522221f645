import { describe, expect, test } from 'vitest';
import { safeHeaders } from './content-headers.ts';

describe('the content type', () => {
  test.each(['audio/wav', 'audio/mpeg', 'audio/x-m4a', 'audio/WebM'])('%s is served inline', (type) => {
    const headers = safeHeaders(type, 'a');
    expect(headers['content-type']).toBe(type.toLowerCase());
    expect(headers['content-disposition']).toMatch(/^inline;/);
  });

  test.each([
    'text/html',
    'image/svg+xml',
    'application/xhtml+xml',
    'text/xml',
    'application/pdf',
    'application/javascript',
    'text/css',
    'video/mp4',
    'audio/wav; charset=x',
    'audio/wav\r\nset-cookie: a=b',
    'audio/',
    '',
  ])('%j is served as an attachment of octet-stream', (type) => {
    const headers = safeHeaders(type, 'a');
    expect(headers['content-type']).toBe('application/octet-stream');
    expect(headers['content-disposition']).toMatch(/^attachment;/);
  });

  test('plain text is served as an attachment', () => {
    const headers = safeHeaders('text/plain', 'a.txt');
    expect(headers['content-type']).toBe('text/plain; charset=utf-8');
    expect(headers['content-disposition']).toMatch(/^attachment;/);
  });
});

describe('the name', () => {
  test.each([
    ['dawn.wav', 'dawn.wav', 'dawn.wav'],
    ['a "b".wav', 'a _b_.wav', 'a%20%22b%22.wav'],
    ['Frühling.wav', 'Fr_hling.wav', 'Fr%C3%BChling.wav'],
    ['🎙.wav', '__.wav', '%F0%9F%8E%99.wav'],
    ['../../etc/passwd', '__.._etc_passwd', '__.._etc_passwd'],
    ['..', '_', '_'],
    ['c:\\x.wav', 'c:_x.wav', 'c%3A_x.wav'],
    ['a\r\nset-cookie: x=y', 'a__set-cookie: x=y', 'a__set-cookie%3A%20x%3Dy'],
    ["it's (1)*.wav", "it's (1)*.wav", 'it%27s%20%281%29%2A.wav'],
    ['100%.wav', '100_.wav', '100%25.wav'],
    ['gpj.\u202eexe', 'gpj._exe', 'gpj._exe'],
    ['half \ud800', 'half _', 'half%20_'],
    ['', 'file', 'file'],
  ])('%j', (name, plain, encoded) => {
    expect(safeHeaders('audio/wav', name)['content-disposition']).toBe(
      `inline; filename="${plain}"; filename*=UTF-8''${encoded}`,
    );
  });
});
