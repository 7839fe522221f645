import { expect, test } from 'vitest';
import { readSetAside, readWarnings } from './set-aside.ts';

const date = '2026-11-18T06:00:00.000Z';
const read = (recordings: unknown) => readSetAside(JSON.stringify({ recordings }), date);

test('files set aside are read from a health report', () => {
  const file = { path: 'card/junk.wav', reason: 'The bytes are no sound.', sinceDate: '2026-11-17T04:00:00.000Z' };
  expect(read({ known: 40, setAside: 30, setAsideFiles: [file] })).toEqual({
    count: 30,
    files: [file],
    reportDate: date,
  });
});

test.each([
  ['no report', ''],
  ['text that is no JSON', 'ok'],
  ['null', 'null'],
  ['an agent of before', '{"recordings":{"known":3}}'],
  ['none', '{"recordings":{"setAside":0,"setAsideFiles":[]}}'],
  ['a count that is no number', '{"recordings":{"setAside":"3"}}'],
  ['recordings that are a list', '{"recordings":[1]}'],
])('nothing is shown for %s', (_name, json) => {
  expect(readSetAside(json, date)).toBeNull();
});

test('what is not readable of a file is left out, never the count', () => {
  const files = [null, 7, { path: 3 }, { path: 'a.wav', reason: {}, sinceDate: 'yesterday' }];
  expect(read({ setAside: 4, setAsideFiles: files })).toEqual({
    count: 4,
    files: [{ path: 'a.wav', reason: '', sinceDate: undefined }],
    reportDate: date,
  });
  expect(read({ setAside: 2, setAsideFiles: 'all' })?.files).toEqual([]);
});

test.each([
  ['{"warnings":["Set allowNetworks.",7,null]}', ['Set allowNetworks.']],
  ['{"warnings":"none"}', []],
  ['{}', []],
  ['no report', []],
])('warnings of the report %s', (report, expected) => expect(readWarnings(report)).toEqual(expected));
