import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { Refusal } from '../../../errors.ts';
import { parseJsonText, textFault } from './json-text.ts';

const parse = (text: string | Uint8Array) => parseJsonText(typeof text === 'string' ? Buffer.from(text) : text);

function refusalOf(text: string | Uint8Array): Refusal {
  try {
    parse(text);
  } catch (error) {
    expect(error).toBeInstanceOf(Refusal);
    return error as Refusal;
  }
  throw new Error('the text was not refused');
}

describe('JSON', () => {
  const sound = fc.string({ unit: 'grapheme' }).filter((text) => !text.includes('\0'));
  const values = fc.jsonValue({ maxDepth: 8, stringUnit: 'grapheme' });

  test('is parsed like JSON.parse does', () => {
    fc.assert(
      fc.property(values, (value) => {
        const text = JSON.stringify(value, null, 1);
        expect(parse(text)).toEqual(JSON.parse(text));
      }),
    );
  });

  test('strings may contain any escapes', () => {
    const unit = (text: string, at: number) => `\\u${text.charCodeAt(at).toString(16).padStart(4, '0')}`;
    const escape = (text: string) => `"${Array.from({ length: text.length }, (_, at) => unit(text, at)).join('')}"`;
    fc.assert(
      fc.property(sound, (text) => {
        expect(parse(escape(text))).toBe(text);
      }),
    );
  });

  test('any bytes are accepted or refused, never an internal error', () => {
    const bytes = fc.oneof(
      fc.uint8Array({ maxLength: 200 }),
      fc
        .array(fc.constantFrom(...Array.from('{}[],:"\\u00d8e1 ')), { maxLength: 60 })
        .map((letters) => Buffer.from(letters.join(''))),
    );
    fc.assert(
      fc.property(bytes, (given) => {
        try {
          parse(given);
        } catch (error) {
          expect(error).toMatchObject({ code: 'invalid' });
        }
      }),
      { numRuns: 500 },
    );
  });

  test.each([
    '',
    ' ',
    '{',
    '[1,]',
    '{"a":1,}',
    '01',
    "'a'",
    'NaN',
    'undefined',
    '{"a" 1}',
    '{}{}',
    '"\n"',
    '"\\x"',
    '"',
    '{"a\\',
  ])('%j is not valid', (text) => {
    expect(refusalOf(text).message).toContain('not valid JSON');
  });

  test('a byte order mark is ignored', () => {
    expect(parse('\uFEFF{"a":1}')).toEqual({ a: 1 });
  });

  test('an error message never quotes the input', () => {
    for (const text of [
      '{"password": hunter2}',
      '{"password":"hunter2"',
      '{"password":"hunter2" 5}',
      'hunter2',
      '"hunter2',
    ]) {
      expect(refusalOf(text).message).not.toContain('hunter2');
    }
    expect(refusalOf('{"a":1').message).toMatch(/at the end|at position 6/);
  });
});

describe('duplicate keys', () => {
  test.each([
    '{"a":1,"a":2}',
    '{"a":1,"\\u0061":2}',
    '{"x":[{"a":1,"b":2,"a":1}]}',
    '{"":1,"":2}',
    '{"\\"":1,"\\"":2}',
  ])('%s is refused', (text) => {
    expect(refusalOf(text).message).toContain('twice');
  });

  test.each([
    '{"a":{"a":1}}',
    '[{"a":1},{"a":2}]',
    '{"a":"a","b":"a"}',
    '{"a":1,"A":2}',
    '{"a":"{\\"a\\":1,\\"a\\":2}"}',
    '{"a":[1,"a","a"]}',
  ])('%s has no duplicate keys', (text) => {
    expect(parse(text)).toEqual(JSON.parse(text));
  });

  test('__proto__ is an ordinary key, and does not change the prototype', () => {
    expect(Object.keys(parse('{"__proto__":{"a":1}}') as object)).toEqual(['__proto__']);
    expect('a' in {}).toBe(false);
  });
});

describe('nesting', () => {
  test('of 32 levels is accepted, of 33 refused before parsing', () => {
    const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
    expect(parse(nested(32))).toBeDefined();
    expect(refusalOf(nested(33)).message).toContain('nested');
    expect(refusalOf('[{"a":'.repeat(500_000)).message).toContain('nested');
  });

  test('counts open levels only', () => {
    expect(parse(`[${Array.from({ length: 1_000 }, () => '[{}]').join(',')}]`)).toHaveLength(1_000);
    expect(parse(`["${'['.repeat(100)}"]`)).toEqual(['['.repeat(100)]);
  });
});

describe('values that cannot be stored', () => {
  test.each([
    ['{"a":"\\u0000"}', 'a', 'NUL'],
    ['{"a":[{"b":"x\\u0000"}]}', 'a[0].b', 'NUL'],
    ['{"a":"\\ud800"}', 'a', 'surrogate'],
    ['{"a":"\\uDC00x"}', 'a', 'surrogate'],
    ['["ok","\\ud83c"]', '[1]', 'surrogate'],
  ])('%s is refused at %s', (text, path, fault) => {
    const { errors } = refusalOf(text);
    expect(errors).toEqual([{ path, message: expect.stringContaining(fault) as string }]);
  });

  test('are also refused in keys', () => {
    for (const text of ['{"\\u0000":1}', '{"a":{"\\ud800":1}}']) expect(refusalOf(text).status).toBe(400);
  });

  test('complete surrogate pairs and escaped backslashes are accepted', () => {
    expect(parse('"\\ud83c\\udf99"')).toBe('🎙');
    expect(parse('"\\\\u0000 \\\\ud800"')).toBe('\\u0000 \\ud800');
  });

  test('textFault finds them in any text', () => {
    expect([textFault('a\0'), textFault('\ud800'), textFault('🎙 ok')]).toEqual([
      expect.stringContaining('NUL'),
      expect.stringContaining('surrogate'),
      undefined,
    ]);
  });

  test.each([[[0x80]], [[0xc0, 0xaf]], [[0xed, 0xa0, 0x80]], [[0xf4, 0x90, 0x80, 0x80]], [[0x22, 0xe9, 0x22]]])(
    'the bytes %j are not UTF-8',
    (bytes) => {
      expect(refusalOf(Uint8Array.from(bytes)).message).toContain('UTF-8');
    },
  );
});
