import type { ServedSearch } from './databases.ts';
import { searchOverHttp } from './measure.ts';
import { seededRandom } from './corpus.ts';
import type { SearchQuestion } from './questions.ts';

const pauseMs = 1_000;

export interface CrowdSize {
  readonly people: number;
  readonly searchesEach: number;
}

/**
 * Several people at once, each with a search of any kind every second, however slow the earlier ones are. Returns the time
 * of each search in milliseconds, from the moment at which it was due.
 */
export async function measureCrowd(
  served: ServedSearch,
  questions: readonly SearchQuestion[],
  orders: readonly string[],
  { people, searchesEach }: CrowdSize,
): Promise<readonly number[]> {
  const random = seededRandom(31);
  const pick = <Value>(list: readonly Value[]): Value => list[Math.floor(random() * list.length)]!;
  const times: Promise<number>[] = [];
  for (let person = 0; person < people; person++) {
    const phaseMs = random() * pauseMs;
    for (let turn = 0; turn < searchesEach; turn++) {
      const [question, asker, order] = [pick(questions), pick(served.askers), pick(orders)];
      const search = { searchText: pick(question.texts), ...question.narrow(asker) };
      times.push(timedAfter(phaseMs + turn * pauseMs, () => searchOverHttp(served, asker, search, order)));
    }
  }
  return Promise.all(times);
}

const timedAfter = (delayMs: number, work: () => Promise<unknown>): Promise<number> =>
  new Promise((resolve, reject) => {
    const due = performance.now() + delayMs;
    setTimeout(() => void work().then(() => resolve(performance.now() - due), reject), delayMs);
  });
