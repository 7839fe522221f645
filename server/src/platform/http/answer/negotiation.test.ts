import type { MediaType } from '@earshot/contract/operation';
import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { chooseMedia, requireJson } from './negotiation.ts';

const agentMedia: readonly MediaType[] = ['application/json', 'text/json', 'text/plain'];
const choose = (accept: string | undefined) => chooseMedia(accept, agentMedia);

describe('Accept', () => {
  test.each([
    [undefined, 'application/json'],
    ['', 'application/json'],
    ['*/*', 'application/json'],
    ['*/*;q=0.1', 'application/json'],
    ['application/*', 'application/json'],
    ['text/*', 'text/json'],
    ['text/plain', 'text/plain'],
    ['Text/Plain;Q=1', 'text/plain'],
    ['text/plain;charset=utf-8;q=0.5', 'text/plain'],
    ['text/plain, text/json', 'text/json'],
    ['text/plain;q=1, text/json;q=0.9', 'text/plain'],
    // The most specific range decides, not the largest number.
    ['text/*;q=0.9, text/plain;q=0.2, application/json;q=0.5', 'text/json'],
    ['*/*;q=0.9, application/json;q=0, text/*;q=0.1', 'text/json'],
    ['image/*, */*;q=0.001', 'application/json'],
    [',,text/plain,,', 'text/plain'],
  ])('%j selects %s', (accept, media) => {
    expect(choose(accept)).toBe(media);
  });

  test.each([
    'image/png',
    'application/json;q=0',
    '*/*;q=0',
    'application',
    'json',
    'text/html;q=1',
    'text/plain;q=2',
    'text/plain;q=x',
    'a/b/c',
  ])('%j matches no offered type', (accept) => {
    expect(() => choose(accept)).toThrow(expect.objectContaining({ code: 'notAcceptable' }) as Error);
  });

  test('any text selects an offered type or is refused', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc
        .array(fc.constantFrom('*/*', 'text/*', 'text/plain', ';', ',', 'q=', '0', '.5', '1', ' '), { maxLength: 12 })
        .map((parts) => parts.join('')),
    );
    fc.assert(
      fc.property(texts, (accept) => {
        try {
          expect(agentMedia).toContain(choose(accept));
        } catch (error) {
          expect(error).toMatchObject({ code: 'notAcceptable' });
        }
      }),
    );
  });

  test('an operation without content types is an internal error', () => {
    expect(() => chooseMedia('*/*', [])).toThrow('offers no content type');
  });
});

describe('Content-Type', () => {
  test.each([
    undefined,
    '',
    ' ',
    'application/json',
    'text/json',
    'APPLICATION/JSON',
    'application/merge-patch+json',
    'application/vnd.x.y-z+json; charset=utf-8',
    'application/json;charset="utf8"',
    'application/json; charset=US-ASCII; q=1',
    'application/json;',
  ])('%j is accepted as JSON', (type) => {
    expect(() => requireJson(type, undefined)).not.toThrow();
    expect(() => requireJson(type, 'Identity')).not.toThrow();
    expect(() => requireJson(type, 'gzip')).toThrow(expect.objectContaining({ code: 'unsupportedType' }) as Error);
  });

  test.each([
    'text/plain',
    'application/jsonp',
    'application/x+json+xml',
    '+json',
    'a/+json',
    'json',
    'application/json, text/json',
    'application/json; charset=utf-16',
  ])('%j is refused', (type) => {
    expect(() => requireJson(type, undefined)).toThrow(expect.objectContaining({ code: 'unsupportedType' }) as Error);
  });
});
