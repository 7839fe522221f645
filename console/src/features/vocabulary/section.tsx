import type { VocabularyTerm } from '@earshot/contract/vocabulary';
import { useState } from 'preact/hooks';
import { attempt } from '../../lib/attempt.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { refresh, useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Empty, Section, UserText } from '../../lib/ui/elements.tsx';
import { AddTermsDialog } from './add-dialog.tsx';
import type { VocabularyScope } from './data.ts';
import { removeTerm, vocabularyOf } from './data.ts';
import { ProposalsSection } from './proposals.tsx';
import { writeTerm } from './terms.ts';

interface VocabularySectionProps {
  readonly title: string;
  readonly scope: VocabularyScope;
  readonly mayEdit: boolean;
}

/** The terms of a vocabulary, and how they are edited. */
export function VocabularySection({ title, scope, mayEdit }: VocabularySectionProps) {
  const vocabulary = useQuery(vocabularyOf(scope));
  const [editing, setEditing] = useState<string | undefined>();
  const count = vocabulary.data?.length ?? 0;
  return (
    <>
      {mayEdit && <ProposalsSection scope={scope} />}
      <Section
        title={title}
        {...(count > 0 ? { count } : {})}
        action={
          mayEdit && (
            <Button small icon="add" onClick={() => setEditing('')}>
              Add terms
            </Button>
          )
        }
      >
        <WhenLoaded from={vocabulary} rows={1}>
          {(terms) =>
            terms.length === 0 ? (
              <Empty>
                No terms yet. Add names, call signs, streets and codes that are often said, so that they are transcribed
                correctly.
              </Empty>
            ) : (
              <ul class="rows">
                {terms.map((term) => (
                  <TermRow key={term.key} term={term} scope={scope} onEdit={mayEdit ? setEditing : undefined} />
                ))}
              </ul>
            )
          }
        </WhenLoaded>
        {editing !== undefined && (
          <AddTermsDialog scope={scope} begin={editing} onClose={() => setEditing(undefined)} />
        )}
      </Section>
    </>
  );
}

interface TermRowProps {
  readonly term: VocabularyTerm;
  readonly scope: VocabularyScope;
  /** Undefined if the person may not edit. */
  readonly onEdit: ((line: string) => void) | undefined;
}

function TermRow({ term, scope, onEdit }: TermRowProps) {
  const { term: text = '', spokenAs = [] } = term;
  const remove = () =>
    attempt(async () => {
      await removeTerm(scope, text);
      refresh(['vocabulary']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">
            <UserText text={text} />
          </span>
          {spokenAs.length > 0 && (
            <span class="row-under">
              <span>
                also <UserText text={spokenAs.join(', ')} />
              </span>
            </span>
          )}
        </span>
      </div>
      {onEdit && (
        <span class="row-actions">
          <Button small kind="quiet" icon="edit" label={`Edit ${text}`} onClick={() => onEdit(writeTerm(term))} />
          <Button small kind="quiet" icon="trash" label={`Remove ${text}`} onClick={() => void remove()} />
        </span>
      )}
    </li>
  );
}
