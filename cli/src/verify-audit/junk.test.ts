import { expect, test } from 'vitest';
import { Failure } from '../failure.ts';
import { createRandom } from '../testing/random.ts';
import { makeLog } from '../testing/sealed-log.ts';
import { verifyLog } from './verify-log.ts';

const { header, lines, kept, signer } = makeLog(60, 20);
const rounds = 600;
const random = createRandom(31);
const pick = <Value>(list: readonly Value[]): Value => list[random(list.length)] as Value;

const values: readonly unknown[] = [null, undefined, 0, -1, 1e308, 'x', '', [], {}, true, [null], { a: 1 }, '\0'];
const texts = ['', '{', '"', '\\', '0', 'null', '\n', '\n\n', '\u2028', '999999999999999'];

type Tree = Record<string, unknown>;

/** Puts a value of any type in the place of another, at any depth. */
function spoilValue(value: unknown): string {
  const copy = structuredClone(value) as Tree;
  let place = copy;
  for (;;) {
    const name = pick([...Object.keys(place), 'more']);
    const inner = place[name];
    if (typeof inner === 'object' && inner !== null && random(3) > 0) {
      place = inner as Tree;
      continue;
    }
    place[name] = pick(values);
    return JSON.stringify(copy);
  }
}

function spoilText(text: string): string {
  const at = random(text.length);
  return text.slice(0, at) + pick(texts) + text.slice(at + random(4));
}

async function* each(all: readonly string[]): AsyncGenerator<string> {
  yield* all;
}

test('whatever stands in an export is told or refused in words, and no change of it is accepted', async () => {
  const whole: readonly object[] = [header, ...lines];
  const accepted: string[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const at = random(3) === 0 ? 0 : random(whole.length);
    const before = JSON.stringify(whole[at]);
    const after = random(2) === 0 ? spoilValue(whole[at]) : spoilText(before);
    const text = whole.map((line) => JSON.stringify(line)).with(at, after);
    const report = verifyLog(each(text), { fingerprint: signer.fingerprint, heads: kept });
    const verdict = await report
      .then((found) => found.verdict)
      .catch((error: unknown) => {
        if (!(error instanceof Failure)) throw new Error(`line ${at}: ${after}`, { cause: error });
        return error.message;
      });
    if (verdict === 'verified' && before !== after) accepted.push(after);
  }
  expect(accepted).toEqual([]);
});

test('a field that stands twice is found, although the last one is right', async () => {
  const text = [header, ...lines].map((line) => JSON.stringify(line));
  const twice = text.with(8, text[8]?.replace('"userID":', '"userID":999,"userID":') ?? '');
  const { faults } = await verifyLog(each(twice), { fingerprint: signer.fingerprint, heads: kept });
  expect(faults).toMatchObject([{ from: 7, to: 7 }]);
});

test('whatever stands in the folder of heads is told, and hides no other head', async () => {
  for (let round = 0; round < rounds; round += 1) {
    const at = random(kept.length);
    const { name, note } = kept[at] ?? { name: '', note: '' };
    const heads = kept.with(at, { name, note: spoilText(note) });
    const text = [header, ...lines].map((line) => JSON.stringify(line));
    const { verdict, headsCompared } = await verifyLog(each(text), { fingerprint: signer.fingerprint, heads });
    const isSame = verdict === 'verified' && headsCompared === kept.length;
    expect(isSame || verdict === 'faulty', heads[at]?.note).toBe(true);
  }
});
