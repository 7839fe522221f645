import { mostTerms, termLength } from '@earshot/contract/vocabulary';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { refresh } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { countText } from '../../lib/ui/count-text.ts';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { TextArea } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import type { VocabularyScope } from './data.ts';
import { sendTerms } from './data.ts';
import { parseTerms } from './terms.ts';

interface AddTermsDialogProps {
  readonly scope: VocabularyScope;
  /** The line of a term that is edited; empty to add terms. */
  readonly begin: string;
  readonly onClose: () => void;
}

export function AddTermsDialog({ scope, begin, onClose }: AddTermsDialogProps) {
  const [problem, setProblem] = useState('');
  const save = async ({ terms: text = '' }: Values) => {
    const terms = parseTerms(text);
    if ('problem' in terms) return setProblem(terms.problem);
    setProblem('');
    await sendTerms(scope, { terms });
    refresh(['vocabulary']);
    showToast(`${countText(terms.length, 'term')} saved.`);
    onClose();
  };
  return (
    <Dialog title={begin === '' ? 'Add terms' : 'Edit term'} onClose={onClose}>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        <p class="alert" role="alert" hidden={problem === ''}>
          {problem}
        </p>
        <TextArea
          name="terms"
          label="Terms"
          hint="One in a line. After an equals sign, write how it may sound or be written otherwise: Quayside = key side, kay side"
          value={begin}
          maxLength={mostTerms * termLength * 2}
          rows={begin === '' ? 8 : 3}
        />
      </ApiForm>
    </Dialog>
  );
}
