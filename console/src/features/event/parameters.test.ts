import { expect, test } from 'vitest';
import { parametersOf, readValue, rowsOf } from './parameters.ts';

test.each([
  ['60', 60],
  ['-1.5', -1.5],
  ['true', true],
  ['null', null],
  ['"60"', '60'],
  ['[1,2]', [1, 2]],
  ['loud', 'loud'],
  ['', ''],
  ['1.2.3', '1.2.3'],
  ['{broken}', '{broken}'],
])('the value %j is sent as %j', (text, value) => {
  expect(readValue(text)).toEqual(value);
});

test('rows become a JSON object, and back', () => {
  const rows = [
    { name: 'delay', value: '60' },
    { name: 'mode', value: 'loud' },
    { name: 'code', value: '"007"' },
  ];
  expect(parametersOf([...rows, { name: ' ', value: '' }])).toBe('{"delay":60,"mode":"loud","code":"007"}');
  expect(parametersOf([])).toBe('{}');
  const json = '{"a":"60","b":60,"c":{"d":[1,"x"]},"e":"text","f":"","g":"true","h":" x "}';
  expect(parametersOf(rowsOf(json))).toBe(json.replace('" x "', '"x"'));
});

test('a row without a name, two equal names, and text that is no object are explained', () => {
  expect(() => parametersOf([{ name: '', value: '5' }])).toThrow('has no name');
  expect(() =>
    parametersOf([
      { name: 'a', value: '1' },
      { name: 'a ', value: '2' },
    ]),
  ).toThrow('two parameters named a');
  for (const text of ['[]', 'no', '5', 'null']) expect(() => rowsOf(text)).toThrow('must be a JSON object');
});
