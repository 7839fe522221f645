import type { NewTerms, VocabularyTerm } from '@earshot/contract/vocabulary';
import { mostForms, mostTerms, termLength } from '@earshot/contract/vocabulary';

/** One term in a line, its other forms after an equals sign, with commas between them. */
export function parseTerms(text: string): NewTerms['terms'] | { readonly problem: string } {
  const terms = new Map<string, NewTerms['terms'][number]>();
  for (const [at, line] of text.split(/\r?\n/).entries()) {
    const [term = '', ...rest] = line.split('=').map((part) => part.trim());
    if (term === '' && rest.length === 0) continue;
    const spokenAs = [
      ...new Set(
        rest
          .join('=')
          .split(',')
          .map((form) => form.trim())
          .filter(Boolean),
      ),
    ];
    const problem = findProblem(term, spokenAs);
    if (problem) return { problem: `Line ${at + 1}: ${problem}` };
    terms.set(term.toLowerCase(), { term, spokenAs });
  }
  if (terms.size === 0) return { problem: 'Enter at least one term.' };
  if (terms.size > mostTerms) return { problem: `Add at most ${mostTerms} terms at once.` };
  return [...terms.values()];
}

function findProblem(term: string, forms: readonly string[]): string | undefined {
  if (!/[\p{L}\p{N}]/u.test(term)) return 'a term needs a letter or a digit.';
  if ([term, ...forms].some(({ length }) => length > termLength)) return `a term has at most ${termLength} characters.`;
  return forms.length > mostForms ? `a term has at most ${mostForms} other forms.` : undefined;
}

/** The line from which `parseTerms` reads the term. */
export const writeTerm = ({ term = '', spokenAs = [] }: VocabularyTerm): string =>
  spokenAs.length === 0 ? term : `${term} = ${spokenAs.join(', ')}`;
