import { afterAll, beforeAll, expect, test } from 'vitest';
import type { TestDatabase } from '../../testing/database.ts';
import { createTestDatabase } from '../../testing/database.ts';
import type { Pool } from './connect.ts';
import { connect } from './connect.ts';

let database: TestDatabase;
let db: Pool;
beforeAll(async () => {
  database = await createTestDatabase();
  db = connect(database.url, { connections: 1, name: 'values test' });
});
afterAll(async () => {
  await db.end({ timeout: 1 });
  await database.drop();
});

const hardTexts = ['', ' ', 'NULL', 'null', '"', '\\', '\\"', '{a,b}', "'", 'é 😀', 'a\nb', '$1'];

test('values come back as they were sent', async () => {
  const date = new Date('2031-02-03T04:05:06.789Z');
  const bytes = Buffer.from([0, 1, 255, 92, 34]);
  for (const text of hardTexts) expect(await db`select ${text}::text as text`).toEqual([{ text }]);
  const rows = await db`
    select ${date} as date, ${bytes} as bytes, ${new Uint8Array(bytes).subarray(1)} as rest, ${true} as yes, ${false} as no,
      ${-0.125}::float8 as float, ${2 ** 53 - 1}::bigint as bigint, ${12n} as big, ${null}::text as nothing`;
  expect(rows).toEqual([
    {
      date,
      bytes,
      rest: bytes.subarray(1),
      yes: true,
      no: false,
      float: -0.125,
      bigint: 2 ** 53 - 1,
      big: 12,
      nothing: null,
    },
  ]);
});

test('a plain text has values of its own', async () => {
  const rows = await db.unsafe('select $1::int + $2::int as sum, $3::text as text', [1, 2, 'three']);
  expect(rows).toEqual([{ sum: 3, text: 'three' }]);
});

test('arrays come back as they were sent', async () => {
  const texts = [...hardTexts, null];
  const numbers = [1, null, -5, 2 ** 53 - 1];
  const rows = await db`select ${texts}::text[] as texts, ${numbers}::bigint[] as numbers, ${[]}::int[] as none`;
  expect(rows).toEqual([{ texts, numbers, none: [] }]);
});

test('what PostgreSQL computes is read by its type', async () => {
  const [row] = await db`
    select 1::smallint as small, 1.5::real as real, 12.50::numeric as numeric, '{"a":[1,null]}'::jsonb as json,
      '2031-02-03 04:05:06.789123+02'::timestamptz as micro, array[[1,2],[3,4]] as nested, '12'::xid8 as xid,
      array[true, false] as flags, array['2031-02-03T00:00:00Z'::timestamptz] as dates, '[0:1]={5,6}'::int[] as bounds,
      array['{"b":1}'::jsonb] as documents, array['\\x00ff'::bytea] as blobs, 'a'::"char" as letter`;
  expect(row).toEqual({
    small: 1,
    real: 1.5,
    numeric: '12.50',
    json: { a: [1, null] },
    micro: new Date('2031-02-03T02:05:06.789Z'),
    nested: [
      [1, 2],
      [3, 4],
    ],
    xid: '12',
    flags: [true, false],
    dates: [new Date('2031-02-03T00:00:00Z')],
    bounds: [5, 6],
    documents: [{ b: 1 }],
    blobs: [Buffer.from([0, 255])],
    letter: 'a',
  });
});

test('what cannot be sent is refused, and the connection works on', async () => {
  const refused = [undefined, { a: 1 }, [undefined], [new Date()], Symbol('s'), new Date(Number.NaN)];
  for (const value of refused) await expect(db`select ${value as never} as value`).rejects.toThrow();
  await expect(db`select ${'x'}::int as n`).rejects.toMatchObject({ code: '22P02' });
  await expect(db`select ${Array.from({ length: 65_536 }, (_, n) => db`${n},`)}`).rejects.toThrow(/65536 values/);
  expect(await db`select ${1}::int as n`).toEqual([{ n: 1 }]);
});
