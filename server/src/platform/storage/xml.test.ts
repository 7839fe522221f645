import * as fc from 'fast-check';
import { expect, test } from 'vitest';
import { childrenNamed, childText, encodeXml, parseXml } from './xml.ts';

test('a list is parsed with its elements in any order, comments and namespaces', () => {
  const list = parseXml(`<?xml version="1.0" encoding="UTF-8"?>
    <!-- of <all> kinds -->
    <s3:ListPartsResult xmlns:s3="http://example.org/doc" a = 'b'>
      <IsTruncated>true</IsTruncated>
      <Part><Size>5</Size><ETag>&quot;a&amp;b&quot;</ETag></Part>
      <Owner/>
      <Part ><ETag><![CDATA["<c>"]]></ETag><Size>&#x36;&#55;</Size></Part >
    </s3:ListPartsResult>
  `)!;
  expect(list.name).toBe('ListPartsResult');
  expect(childText(list, 'IsTruncated')).toBe('true');
  expect(childText(list, 'Owner')).toBe('');
  expect(childText(list, 'Missing')).toBeUndefined();
  const parts = childrenNamed(list, 'Part').map((part) => [childText(part, 'Size'), childText(part, 'ETag')]);
  expect(parts).toEqual([
    ['5', '"a&b"'],
    ['67', '"<c>"'],
  ]);
});

test('an entity is decoded once, an unknown one is kept', () => {
  expect(parseXml('<a>&amp;lt; &nbsp; &#x110000; &</a>')?.text).toBe('&lt; &nbsp; &#x110000; &');
});

test('a malformed document is undefined', () => {
  const documents = [
    '',
    'text',
    '<a>',
    '<a></b>',
    '</a>',
    '<a></a><b></b>',
    '<a/>text',
    '<a><b></a></b>',
    '<a b=c></a>',
    '<a',
    '<!DOCTYPE a [<!ENTITY b "c">]><a>&b;</a>',
    '{"a":1}',
  ];
  for (const document of documents) expect(parseXml(document), document).toBeUndefined();
});

test('any text is parsed as it was written', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      expect(parseXml(`<a>${encodeXml(text)}</a>`)?.text).toBe(text);
    }),
  );
});
