import { describe, expect, test } from 'vitest';
import type { RecordingTime } from './recording-time.ts';
import { readRecordingTime } from './recording-time.ts';

const latin = (text: string): Uint8Array => Uint8Array.from(text, (letter) => letter.codePointAt(0) ?? 0);

function joined(...parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((size, part) => size + part.length, 0));
  let at = 0;
  for (const part of parts) {
    whole.set(part, at);
    at += part.length;
  }
  return whole;
}

const littleEndian = (value: number): Uint8Array =>
  Uint8Array.from([value & 255, (value >> 8) & 255, (value >> 16) & 255, (value >> 24) & 255]);

const chunk = (id: string, content: Uint8Array): Uint8Array =>
  joined(latin(id), littleEndian(content.length), content, new Uint8Array(content.length % 2));

const wav = (...chunks: readonly Uint8Array[]): Uint8Array =>
  joined(latin('RIFF'), littleEndian(4), latin('WAVE'), chunk('fmt ', new Uint8Array(16)), ...chunks);

const sound = chunk('data', new Uint8Array(64));
const guano = (timestamp: string) =>
  chunk(
    'guan',
    new TextEncoder().encode(`GUANO|Version:1.0\nLoc Position: 47.1 8.2\nTimestamp: ${timestamp}\nMake:x\n`),
  );
const info = (id: string, text: string) => chunk('LIST', joined(latin('INFO'), chunk(id, latin(`${text}\0`))));
const bext = (date: string, time: string) =>
  chunk('bext', joined(new Uint8Array(320), latin(date), latin(time), new Uint8Array(264)));

const comment = (when: string) =>
  `Recorded at ${when} by AudioMoth 24F319055FDF2F5B at medium gain while battery was 4.0V and temperature was 21.5C.`;

const id3 = (version: number, frames: Readonly<Record<string, Uint8Array>>): Uint8Array => {
  const size = (length: number) =>
    version === 2
      ? Uint8Array.from([0, length >> 8, length & 255])
      : version === 3
        ? Uint8Array.from([0, 0, length >> 8, length & 255])
        : Uint8Array.from([0, 0, length >> 7, length & 127]);
  const all = Object.entries(frames).map(([name, content]) =>
    joined(latin(name), size(content.length), new Uint8Array(version === 2 ? 0 : 2), content),
  );
  const body = joined(...all, new Uint8Array(20));
  return joined(latin('ID3'), Uint8Array.from([version, 0, 0, 0, 0, body.length >> 7, body.length & 127]), body);
};
const plain = (text: string) => joined(Uint8Array.from([0]), latin(text));
const utf16 = (text: string) =>
  joined(
    Uint8Array.from([1, 0xff, 0xfe]),
    Uint8Array.from(Array.from(text, (letter) => [letter.codePointAt(0) ?? 0, 0]).flat()),
  );

const read = (head: Uint8Array, name = 'dawn.wav', lastModifiedMs?: number): RecordingTime =>
  readRecordingTime({ head, name, lastModifiedMs });
const shown = ({ start, source, zoneKnown }: RecordingTime) =>
  `${start === undefined ? 'unknown' : new Date(start).toISOString()} ${source}${zoneKnown ? '' : ', no zone'}`;

describe('metadata in the file', () => {
  test.each<[string, Uint8Array, string]>([
    ['GUANO in UTC', wav(guano('2022-12-05T19:17:30.250Z'), sound), '2022-12-05T19:17:30.250Z guano'],
    ['GUANO with an offset', wav(guano('2022-12-05T19:17:30+02:00'), sound), '2022-12-05T17:17:30.000Z guano'],
    ['GUANO without a zone', wav(guano('2022-12-05 19:17:30'), sound), '2022-12-05T19:17:30.000Z guano, no zone'],
    ['GUANO after the sound', wav(sound, guano('2022-12-05T19:17:30Z')), '2022-12-05T19:17:30.000Z guano'],
    ['BWF', wav(bext('2022-12-05', '19:17:30'), sound), '2022-12-05T19:17:30.000Z bwf, no zone'],
    ['BWF with other separators', wav(bext('2022:12:05', '19-17-30'), sound), '2022-12-05T19:17:30.000Z bwf, no zone'],
    [
      'AudioMoth in UTC',
      wav(info('ICMT', comment('19:17:30 05/12/2022 (UTC)')), sound),
      '2022-12-05T19:17:30.000Z icmt',
    ],
    [
      'AudioMoth with hours',
      wav(info('ICMT', comment('19:17:30 05/12/2022 (UTC+2)')), sound),
      '2022-12-05T17:17:30.000Z icmt',
    ],
    [
      'AudioMoth with half an hour',
      wav(info('ICMT', comment('19:17:30.500 05/12/2022 (UTC-3:30)')), sound),
      '2022-12-05T22:47:30.500Z icmt',
    ],
    [
      'AudioMoth of 2018',
      wav(info('ICMT', comment('19:17:30 05/12/2022')), sound),
      '2022-12-05T19:17:30.000Z icmt, no zone',
    ],
    ['ICRD', wav(info('ICRD', '2022-12-05T19:17:30Z'), sound), '2022-12-05T19:17:30.000Z icrd'],
    [
      'ID3 2.4',
      id3(4, { TIT2: plain('x'), TDRC: plain('2022-12-05T19:17:30') }),
      '2022-12-05T19:17:30.000Z id3, no zone',
    ],
    ['ID3 2.4 to the minute', id3(4, { TDRC: utf16('2022-12-05T19:17') }), '2022-12-05T19:17:00.000Z id3, no zone'],
    [
      'ID3 2.3',
      id3(3, { TYER: plain('2022'), TDAT: plain('0512'), TIME: utf16('1917') }),
      '2022-12-05T19:17:00.000Z id3, no zone',
    ],
    [
      'ID3 2.2',
      id3(2, { TYE: plain('2022'), TDA: plain('0512'), TIM: plain('1917') }),
      '2022-12-05T19:17:00.000Z id3, no zone',
    ],
    [
      'ID3 in a WAV file',
      wav(chunk('id3 ', id3(4, { TDRC: plain('2022-12-05T19:17:30') })), sound),
      '2022-12-05T19:17:30.000Z id3, no zone',
    ],
  ])('%s', (_name, head, expected) => {
    expect(shown(read(head))).toBe(expected);
  });

  test('comes before the name, GUANO before all others', () => {
    const all = [bext('2022-12-05', '19:17:30'), info('ICMT', comment('01:02:03 05/12/2022 (UTC)'))];
    expect(read(wav(...all, guano('2021-01-01T00:00:00Z')), '20200101_000000.WAV').source).toBe('guano');
    expect(read(wav(...all), '20200101_000000.WAV').source).toBe('bwf');
    expect(read(wav(sound), '20200101_000000.WAV').source).toBe('name');
  });

  test.each<[string, Uint8Array]>([
    ['a date alone', wav(info('ICRD', '2022-12-05'), sound)],
    ['a day that does not exist', wav(guano('2022-02-30T00:00:00Z'), sound)],
    ['a clock that was never set', wav(guano('1970-01-01T00:00:00Z'), sound)],
    ['an empty BWF date', wav(bext('\0'.repeat(10), '\0'.repeat(8)), sound)],
    ['a year in ID3', id3(4, { TDRC: plain('2022') })],
    ['an hour of 25', wav(info('ICMT', comment('25:17:30 05/12/2022 (UTC)')), sound)],
  ])('%s is no start', (_name, head) => {
    expect(shown(read(head, 'dawn.wav', 5000))).toBe('1970-01-01T00:00:05.000Z file');
  });
});

describe('the name', () => {
  test.each<[string, string]>([
    ['20221205_191730.WAV', '2022-12-05T19:17:30.000Z name, no zone'],
    ['20221205_191730T.WAV', '2022-12-05T19:17:30.000Z name, no zone'],
    ['24F319055FDF2F5B_20221205_191730.WAV', '2022-12-05T19:17:30.000Z name, no zone'],
    ['card/DCIM/20221205_191730.wav', '2022-12-05T19:17:30.000Z name, no zone'],
    ['SITE1_20221205_191730+0200.wav', '2022-12-05T17:17:30.000Z name'],
    ['20221205_191730Z.flac', '2022-12-05T19:17:30.000Z name'],
    ['2022-12-05T19-17-30Z.ogg', '2022-12-05T19:17:30.000Z name'],
    ['2022-12-05 19.17.30.m4a', '2022-12-05T19:17:30.000Z name, no zone'],
    ['20221205_191730County_North_TRAFFIC__TO_4521_FROM_700.mp3', '2022-12-05T19:17:30.000Z name, no zone'],
    ['20221205_191730_0007.wav', '2022-12-05T19:17:30.000Z name, no zone'],
    ['20221205_191730-0007.wav', '2022-12-05T19:17:30.000Z name, no zone'],
    ['4521-1669998000_851012500.0-call_1.wav', '2022-12-02T16:20:00.000Z name'],
    ['4521-1669998000_851012500.wav', '2022-12-02T16:20:00.000Z name'],
  ])('%s', (name, expected) => {
    expect(shown(read(new Uint8Array(), name))).toBe(expected);
  });

  test.each(['dawn.wav', '20221305_191730.wav', '12345678901234567890.wav', '', '2022.wav', '1-2_3.wav'])(
    '%s tells nothing',
    (name) => {
      expect(read(new Uint8Array(), name)).toEqual({ start: undefined, source: 'file', zoneKnown: true });
    },
  );
});

test('malformed files never throw', () => {
  const good = [
    wav(
      guano('2022-12-05T19:17:30Z'),
      bext('2022-12-05', '19:17:30'),
      info('ICMT', comment('19:17:30 05/12/2022')),
      sound,
    ),
    id3(4, { TDRC: utf16('2022-12-05T19:17') }),
    id3(3, { TYER: plain('2022'), TDAT: plain('0512'), TIME: utf16('1917') }),
  ];
  for (const bytes of good) {
    for (let length = 0; length <= bytes.length; length += 1) expect(() => read(bytes.slice(0, length))).not.toThrow();
    for (let at = 0; at < bytes.length; at += 1) {
      for (const value of [0, 127, 255]) {
        const changed = bytes.slice();
        changed[at] = value;
        expect(() => read(changed)).not.toThrow();
      }
    }
  }
});
