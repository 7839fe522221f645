import type { TermProposal } from '@earshot/contract/vocabulary-proposal';
import { mostForms } from '@earshot/contract/vocabulary';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import type { VocabularyScope } from './data.ts';
import { proposalsOf, sendTerms } from './data.ts';

/** Names that people corrected, each accepted or dismissed with one click or key. Nothing if there are none. */
export function ProposalsSection({ scope }: { readonly scope: VocabularyScope }) {
  const { data: proposals = [] } = useQuery(proposalsOf(scope));
  if (proposals.length === 0) return null;
  return (
    <Section title="From corrections" count={proposals.length}>
      <ul class="rows">
        {proposals.map((proposal) => (
          <ProposalRow key={proposal.term} proposal={proposal} scope={scope} />
        ))}
      </ul>
    </Section>
  );
}

interface ProposalRowProps {
  readonly proposal: TermProposal;
  readonly scope: VocabularyScope;
}

function ProposalRow({ proposal: { term, heardAs, clipCount, audioClips }, scope }: ProposalRowProps) {
  const accept = () =>
    attempt(async () => {
      await sendTerms(scope, { terms: [{ term, spokenAs: heardAs.slice(0, mostForms) }] });
      refresh(['vocabulary']);
      showToast(`${term} is a term of the vocabulary.`);
    });
  const dismiss = () =>
    attempt(async () => {
      await api.dismissVocabularyProposal({ body: { term } });
      refresh(['vocabulary']);
    });
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">
            <UserText text={term} />
          </span>
          <span class="row-under">
            <span>
              written as <UserText text={heardAs.join(', ')} /> in{' '}
              <a href={`/clips/${audioClips[0]}`}>{countText(clipCount, 'clip')}</a>
            </span>
          </span>
        </span>
      </div>
      <span class="row-actions">
        <Button small icon="check" label={`Accept ${term}`} onClick={() => void accept()}>
          Accept
        </Button>
        <Button small kind="quiet" icon="close" label={`Dismiss ${term}`} onClick={() => void dismiss()} />
      </span>
    </li>
  );
}
