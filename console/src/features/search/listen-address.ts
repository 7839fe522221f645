import type { CaptionHit } from '@earshot/contract/caption-search';

/** Position of the first match in the clip. */
export const firstMs = ({ matches }: CaptionHit): number => matches[0]?.startMs ?? 0;

/** The text whose words are highlighted in a hit: the search, with the words that the hit has instead. */
export const markedText = ({ similarWords = [], vocabularyWords = [] }: CaptionHit, searchText: string): string =>
  [searchText, ...[...similarWords, ...vocabularyWords].map(asPhrase)].join(' ');

const asPhrase = (words: string): string => (words.includes(' ') ? `"${words}"` : words);

export function listenAddress(hit: CaptionHit, searchText: string, ms = firstMs(hit)): string {
  const query = new URLSearchParams({ t: String(ms / 1_000), q: markedText(hit, searchText) });
  return `/clips/${hit.key}?${query}`;
}
