import type { RuleTrial } from '@earshot/contract/rule-trial';
import type { Corpus } from '../search/corpus.ts';
import { seededRandom } from '../search/corpus.ts';
import { firstTalkgroup, talkgroupCount } from './fill.ts';

type TriedRule = RuleTrial['rule'];

/** A kind of rule, with many different rules, each with the texts of the searches that it is made of, if it has words. */
export interface RuleKind {
  readonly name: string;
  readonly isOfMember: boolean;
  readonly rules: readonly { readonly rule: TriedRule; readonly searches: readonly string[] }[];
}

/** The ten kinds of issue 31. */
export function createKinds({ words }: Corpus, deviceIDs: readonly number[], rulesEach: number): readonly RuleKind[] {
  const random = seededRandom(31);
  const between = (low: number, high: number): number => low + Math.floor(random() * (high - low));
  const word = (): string => words[between(100, 5_000)]!;
  const usual = (): string => words[between(0, 300)]!;
  const talkgroup = (): number => firstTalkgroup + between(0, talkgroupCount);
  const of = (texts: readonly string[], rule: TriedRule) => ({ rule, searches: texts });
  const kinds: Readonly<Record<string, () => { rule: TriedRule; searches: readonly string[] }>> = {
    'one word': () => {
      const text = word();
      return of([text], { when: { words: text } });
    },
    'a phrase': () => {
      const text = `"${usual()} ${usual()}"`;
      return of([text], { when: { words: text } });
    },
    'three words in any': () => {
      const texts = [word(), word(), word()];
      return of(texts, { when: { any: texts.map((text) => ({ words: text })) } });
    },
    'words and none': () => {
      const [said, unsaid] = [word(), usual()];
      return of([said, unsaid], { when: { all: [{ words: said }, { none: [{ words: unsaid }] }] } });
    },
    'a tag alone': () => of([], { when: { tagName: `tag ${between(1, 51)}` } }),
    'a level alone': () => of([], { when: { levelDb: { min: -between(1, 30) / 100 } } }),
    'any sound of a talkgroup': () =>
      of([], { when: { anySound: true }, where: { talkgroups: [{ talkgroup: talkgroup() }] } }),
    'at least 2 on a device': () => {
      const text = usual();
      const deviceID = deviceIDs[between(0, deviceIDs.length)]!;
      return of([text], {
        when: { words: text },
        where: { deviceIDs: [deviceID] },
        atLeast: { count: 2, withinSeconds: 7_200 },
      });
    },
    'at least 3 across all devices': () => {
      const text = word();
      return of([text], { when: { words: text }, atLeast: { count: 3, withinSeconds: 3_600, acrossDevices: true } });
    },
    'one word, by a member with a fifth of the devices': () => {
      const text = word();
      return of([text], { when: { words: text } });
    },
  };
  return Object.entries(kinds).map(([name, make]) => ({
    name,
    isOfMember: name.includes('member'),
    rules: Array.from({ length: rulesEach }, make),
  }));
}
