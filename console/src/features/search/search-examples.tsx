import { setQuery } from '../../lib/location.ts';
import { useQuery } from '../../lib/query.ts';
import { Icon } from '../../lib/ui/icon.tsx';
import { captionProgress } from '../listen/public.ts';

const examples = [
  ['north gate', 'Both words, anywhere in a clip'],
  ['"good morning"', 'An exact phrase'],
  ['harb', 'Start of a word: harbour, harbours'],
  ['engine 96', 'Also in words: engine ninety-six'],
  ['cafe', 'Case and accents are ignored: Café'],
  ['after:yesterday ferry', 'Filters: device: talkgroup: tag: before: after:'],
] as const;

/** Example searches to try. */
export function SearchExamples({ text }: { readonly text: string }) {
  const { data: progress } = useQuery(captionProgress);
  const ahead = (progress?.waitingCount ?? 0) + (progress?.workingCount ?? 0);
  return (
    <div class="search-examples">
      <Icon name="search" />
      <h2>{text === '' ? 'Search all transcripts' : 'Type a letter or a digit'}</h2>
      <p class="quiet">Results appear as you type. Examples:</p>
      <ul class="examples">
        {examples.map(([example, meaning]) => (
          <li key={example}>
            <button type="button" class="example" onClick={() => setQuery({ q: example }, 'push')}>
              {example}
            </button>
            <span class="quiet">{meaning}</span>
          </li>
        ))}
      </ul>
      {ahead > 0 && (
        <p class="hint" role="status">
          Some clips are not transcribed yet: {ahead === 1 ? '1 job' : `${ahead} jobs`} in progress.
        </p>
      )}
    </div>
  );
}
