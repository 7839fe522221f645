import { PageHead } from '../../lib/ui/elements.tsx';
import { VocabularySection } from './public.tsx';

export function VocabularyPage() {
  return (
    <>
      <PageHead title="Vocabulary" />
      <p class="quiet">
        Names and terms that are likely to be said, for all devices. Where the sound is unclear, the speech engine
        prefers them; such words are marked in the transcript, with what was heard. Terms for some devices only belong
        to a <a href="/collections">collection</a>.
      </p>
      <VocabularySection scope="installation" mayEdit />
    </>
  );
}
