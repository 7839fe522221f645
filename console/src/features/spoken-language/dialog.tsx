import { mostLanguages } from '@earshot/contract/spoken-language';
import { languageName } from '@earshot/contract/caption-marks';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Dialog } from '../../lib/ui/dialog.tsx';
import { TextField } from '../../lib/ui/field.tsx';
import type { SpokenIn } from './data.ts';
import { saveLanguages } from './data.ts';
import { offeredLanguages, tagOf } from './languages.ts';

interface LanguagesDialogProps {
  readonly scope: SpokenIn;
  readonly languages: readonly string[];
  readonly onClose: () => void;
  readonly onSaved?: (languages: readonly string[]) => Promise<void>;
}

/** Chooses spoken languages. None chosen: the setting is removed. */
export function LanguagesDialog({ scope, languages, onClose, onSaved }: LanguagesDialogProps) {
  const [chosen, setChosen] = useState(languages);
  const [typed, setTyped] = useState('');
  const withTyped = (): readonly string[] =>
    typed.trim() === '' || chosen.includes(tagOf(typed)) ? chosen : [...chosen, tagOf(typed)];
  const add = () => {
    setChosen(withTyped());
    setTyped('');
  };
  const save = async () => {
    const tags = [...withTyped()];
    await saveLanguages(scope, tags);
    await onSaved?.(tags);
    showToast('Saved. New recordings follow it.');
    onClose();
  };
  return (
    <Dialog title="Spoken languages" onClose={onClose}>
      <p class="quiet">
        Choose every language that is spoken there. Without a choice, speech may be in any language, or the setting of
        the collections or of the installation applies.
      </p>
      <ApiForm submit="Save" onSend={save} onCancel={onClose}>
        {chosen.length > 0 && (
          <ul class="language-list" aria-label="Chosen languages">
            {chosen.map((tag) => (
              <li key={tag}>
                <span>{languageName(tag)}</span>
                <Button
                  small
                  kind="quiet"
                  icon="close"
                  label={`Remove ${languageName(tag)}`}
                  onClick={() => setChosen(chosen.filter((other) => other !== tag))}
                />
              </li>
            ))}
          </ul>
        )}
        {chosen.length < mostLanguages && (
          <div class="language-add">
            <TextField
              key={chosen.length}
              name="languages"
              label="Add a language"
              hint="Its name, or a tag such as pt-BR"
              list={offeredLanguages.map(({ name }) => name)}
              maxLength={35}
              optional
              focused
              onInput={setTyped}
            />
            <Button onClick={add}>Add</Button>
          </div>
        )}
      </ApiForm>
    </Dialog>
  );
}
