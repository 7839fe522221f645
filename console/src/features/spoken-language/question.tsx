import { languageName } from '@earshot/contract/caption-marks';
import type { UserSetting } from '@earshot/contract/user-setting';
import { setInstallationLanguages } from '@earshot/contract/spoken-language';
import { useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';
import { attempt } from '../../lib/attempt.ts';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { may } from '../right/public.ts';
import type { SpokenIn } from './data.ts';
import { languagesOf, saveLanguages } from './data.ts';
import { LanguagesDialog } from './dialog.tsx';

const settingName = 'languageQuestion';
const mySettings: Query<readonly UserSetting[]> = { key: 'my settings', load: () => api.listUserSettings() };

interface LanguageQuestionProps {
  readonly deviceID: number;
  /** The languages that the recording may be in, the written one first. */
  readonly candidates: readonly string[];
  /** Called with the answer, before the question goes. */
  readonly onAnswer: (languages: readonly string[]) => Promise<void>;
}

/**
 * Asks a person once which languages are spoken, at the first recording whose language was in doubt. An admin answers for
 * the installation, others for the device.
 */
export function LanguageQuestion({ deviceID, candidates, onAnswer }: LanguageQuestionProps) {
  const { data: settings } = useQuery(mySettings);
  const { data: languages } = useQuery(languagesOf({ deviceID }));
  const [choosing, setChoosing] = useState(false);
  const isAsked = settings?.some((setting) => setting.settingName === settingName) ?? true;
  if (isAsked || !languages || languages.appliedLanguages.length > 0) return null;
  const scope: SpokenIn = may(setInstallationLanguages) ? 'installation' : { deviceID };
  const end = async () => {
    await api.putUserSetting({ query: { setting_name: settingName }, body: { settingValue: 'asked' } });
    refresh([mySettings.key]);
  };
  const answered = async (tags: readonly string[]) => {
    if (tags.length > 0) await onAnswer(tags);
    await end();
  };
  const answer = (tag: string) =>
    attempt(async () => {
      await saveLanguages(scope, [tag]);
      await answered([tag]);
      showToast(`Saved. New recordings are transcribed as ${languageName(tag)}.`);
    });
  return (
    <section class="notice" aria-labelledby="language-question">
      <div>
        <h3 id="language-question">Which languages are spoken here?</h3>
        <p>
          The speech engine is unsure about the language of this recording.{' '}
          {scope === 'installation'
            ? 'Your answer applies to all devices without a setting of their own.'
            : 'Your answer applies to this device.'}
        </p>
      </div>
      <div class="buttons">
        {candidates.map((tag) => (
          <Button key={tag} small onClick={() => void answer(tag)}>
            {languageName(tag)}
          </Button>
        ))}
        <Button small onClick={() => setChoosing(true)}>
          Others…
        </Button>
        <Button small kind="quiet" onClick={() => void attempt(end)}>
          Do not ask again
        </Button>
      </div>
      {choosing && (
        <LanguagesDialog scope={scope} languages={[]} onClose={() => setChoosing(false)} onSaved={answered} />
      )}
    </section>
  );
}
