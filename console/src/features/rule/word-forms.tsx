import { UserText } from '../../lib/ui/elements.tsx';
import { termFormsOf } from './word-forms.ts';

const mostShown = 8;

/** Which forms of each word count. */
export function WordForms({ words }: { readonly words: string }) {
  const terms = termFormsOf(words);
  if (terms.length === 0) return null;
  return (
    <p class="hint rule-forms">
      {terms.map(({ typed, isQuoted, forms, isSplit, hasMore }, at) => (
        <span key={typed}>
          {at > 0 && '; and '}
          <strong>
            <UserText text={isQuoted ? `“${typed}”` : typed} />
          </strong>
          {isQuoted && ' exactly so'}
          {forms.length > 0 && (
            <>
              {' or '}
              <UserText text={forms.slice(0, mostShown).join(', ')} />
            </>
          )}
          {forms.length > mostShown && ` or ${forms.length - mostShown} more forms`}
          {isSplit && ', also as two words'}
          {hasMore && ', also as it is said on the radio'}
        </span>
      ))}
      {terms.every(({ isQuoted }) => !isQuoted) && terms.length > 1 && '. All of them, anywhere in the clip.'}
    </p>
  );
}
