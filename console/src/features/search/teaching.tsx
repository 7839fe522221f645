import { useQuery } from '../../app/query.ts';
import { setQuery } from '../../app/router.ts';
import { Icon } from '../../ui/icon.tsx';
import { captionProgress } from '../listen/data.ts';

const examples = [
  ['north gate', 'Both words, wherever they stand in a clip'],
  ['"good morning"', 'These words, one after the other'],
  ['harb', 'Part of a word: harbour, harbours'],
  ['cafe', 'In any case, with or without accents: Café'],
] as const;

/** What can be typed, to try at once. */
export function Teaching({ text }: { readonly text: string }) {
  const { data: progress } = useQuery(captionProgress);
  const ahead = (progress?.waitingCount ?? 0) + (progress?.workingCount ?? 0);
  return (
    <div class="teaching">
      <Icon name="search" />
      <h2>{text === '' ? 'Find any word that was ever said' : 'Type a letter or a digit'}</h2>
      <p class="quiet">Every clip that has been listened to is searched, as you type. For example:</p>
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
          Not everything has been listened to yet: {ahead === 1 ? 'one job is' : `${ahead} jobs are`} under way.
        </p>
      )}
    </div>
  );
}
