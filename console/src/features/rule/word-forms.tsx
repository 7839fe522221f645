import { countText } from '../../lib/ui/count-text.ts';
import { UserText } from '../../lib/ui/elements.tsx';
import { countedDays, useFormCounts } from './form-counts.ts';
import { termFormsOf } from './word-forms.ts';

const mostShown = 8;

/** Which forms of each word count, and in how many clips each was said. */
export function WordForms({ words }: { readonly words: string }) {
  const terms = termFormsOf(words);
  const counts = useFormCounts(terms.flatMap(({ typed, forms }) => [typed, ...forms.slice(0, mostShown)]));
  if (terms.length === 0) return null;
  const said = (form: string) => {
    const count = counts.get(form);
    return count === undefined ? '' : ` (${count})`;
  };
  return (
    <p class="hint rule-forms">
      {terms.map(({ typed, isQuoted, forms, isSplit, hasMore }, at) => (
        <span key={typed}>
          {at > 0 && '; and '}
          <strong>
            <UserText text={isQuoted ? `“${typed}”` : typed} />
          </strong>
          {said(typed)}
          {isQuoted && ' exactly so'}
          {forms.length > 0 && (
            <>
              {' or '}
              <UserText
                text={forms
                  .slice(0, mostShown)
                  .map((form) => form + said(form))
                  .join(', ')}
              />
            </>
          )}
          {forms.length > mostShown && ` or ${forms.length - mostShown} more forms`}
          {isSplit && ', also as two words'}
          {hasMore && ', also as it is said on the radio'}
        </span>
      ))}
      {terms.every(({ isQuoted }) => !isQuoted) && terms.length > 1 && '. All of them, anywhere in the clip'}
      {counts.size > 0 && `. In brackets: clips of the last ${countText(countedDays, 'day')} that say it`}.
    </p>
  );
}
