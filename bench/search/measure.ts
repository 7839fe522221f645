import type { CaptionSearch, CaptionSearchResults } from '@earshot/contract/caption-search';
import { runSearch } from '@earshot/server/features/caption-search/search';
import type { Pool } from '@earshot/server/platform/database/connect';
import type { Asker, ServedSearch } from './databases.ts';
import type { SearchQuestion } from './questions.ts';

/** In milliseconds, one number for each search. */
export interface Measured {
  /** Over HTTP. */
  readonly http: readonly number[];
  /** The same statements, sent by this process. */
  readonly plain: readonly number[];
}

const wordMs = 300;

/** Each text once in both ways, alternating, so that load on the machine affects both equally. */
export async function measureSearch(
  served: ServedSearch,
  asker: Asker,
  { texts, narrow }: SearchQuestion,
  order: string,
): Promise<Measured> {
  const [http, plain]: [number[], number[]] = [[], []];
  const searches = texts.map((searchText) => ({ searchText, ...narrow(asker) }));
  for (const search of searches) await giveWords(served.db, await searchOverHttp(served, asker, search, order));
  for (const search of searches) {
    http.push(await timed(() => searchOverHttp(served, asker, search, order)));
    plain.push(await timed(() => runSearch(served.db, asker.caller, search, { order })));
  }
  return { http, plain };
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const start = performance.now();
  await work();
  return performance.now() - start;
}

export interface Times {
  readonly p50: number;
  readonly p95: number;
  readonly p99: number;
}

export function timesOf(all: readonly number[]): Times {
  const sorted = all.toSorted((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), p99: at(0.99) };
}

export async function searchOverHttp(
  { server }: ServedSearch,
  { credential }: Asker,
  search: CaptionSearch,
  order: string,
): Promise<CaptionSearchResults> {
  const response = await fetch(new URL(`/v1/audioclip/list/search/caption?order=${order}`, server.url), {
    method: 'POST',
    headers: {
      authorization: `Basic ${btoa(`${credential.accessKey}:${credential.secretKey}`)}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(search),
  });
  if (!response.ok) throw new Error(`${search.searchText}: ${await response.text()}`);
  return (await response.json()) as CaptionSearchResults;
}

/** Word times of a million captions take long to insert, so only the captions in results get theirs. */
async function giveWords(db: Pool, { results }: CaptionSearchResults): Promise<void> {
  const segments = results.map(({ transcript = '' }) => {
    const words = transcript.split(' ').map((text, at) => {
      return { text, startMs: at * wordMs, endMs: at * wordMs + 280, confidence: 97.5 };
    });
    return JSON.stringify([
      { startMs: 0, endMs: 60_000, text: transcript, words, confidence: 97.5, isLanguageKnown: true },
    ]);
  });
  await db`
    insert into caption_versions (audio_clip_id, version, origin, transcript, segments, is_timed, is_language_known)
    select key, 1, 'engine', '', segments::jsonb, true, true from unnest(${results.map(({ key = 0 }) => key)}::bigint[], ${segments}::text[]) n (key, segments)
    on conflict do nothing`;
}
