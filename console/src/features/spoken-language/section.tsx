import type { LanguageSetting } from '@earshot/contract/spoken-language';
import { useState } from 'preact/hooks';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Section } from '../../lib/ui/elements.tsx';
import type { SpokenIn } from './data.ts';
import { languagesOf } from './data.ts';
import { LanguagesDialog } from './dialog.tsx';
import { listNames } from './languages.ts';

interface LanguagesSectionProps {
  readonly title?: string;
  readonly scope: SpokenIn;
  readonly mayEdit: boolean;
}

/** The spoken languages of a device, a collection or the installation. */
export function LanguagesSection({ title = 'Spoken languages', scope, mayEdit }: LanguagesSectionProps) {
  const languages = useQuery(languagesOf(scope));
  const [editing, setEditing] = useState(false);
  const change = (
    <Button small icon="edit" label="Set languages" onClick={() => setEditing(true)}>
      Set
    </Button>
  );
  return (
    <Section title={title} action={mayEdit && languages.data && change} bare>
      <WhenLoaded from={languages} rows={1}>
        {(data) => (
          <div class="card padded stack">
            <p>
              <strong>{data.appliedLanguages.length > 0 ? listNames(data.appliedLanguages) : 'Any language'}</strong>
            </p>
            <p class="hint">{explain(data, scope)}</p>
            {editing && <LanguagesDialog scope={scope} languages={data.languages} onClose={() => setEditing(false)} />}
          </div>
        )}
      </WhenLoaded>
    </Section>
  );
}

const sources = {
  device: '',
  collection: 'Set for its collections. ',
  installation: 'Set for the whole installation. ',
} as const;

function explain({ languages, appliedLanguages, appliedFrom }: LanguageSetting, scope: SpokenIn): string {
  const isOwn = languages.length > 0;
  const source = isOwn || !appliedFrom ? '' : sources[appliedFrom];
  const where = scope === 'installation' ? 'Devices and collections may have their own setting. ' : '';
  if (appliedLanguages.length === 1) return `${source}${where}No speech is taken for another language.`;
  if (appliedLanguages.length > 1) return `${source}${where}The language of speech is one of these.`;
  return `${where}The language of speech is found by its sound, which fails for some accents and on bad radio.`;
}
