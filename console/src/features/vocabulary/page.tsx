import { PageHead } from '../../lib/ui/elements.tsx';
import { VocabularySection } from './section.tsx';

export function VocabularyPage() {
  return (
    <>
      <PageHead
        title="Vocabulary"
        under={
          <span>
            Names and terms that are likely to be said, for all devices. Where the sound is unclear, the speech engine
            prefers them; the transcript marks such words and shows what was heard. Terms for some devices only belong
            to a <a href="/collections">collection</a>.
          </span>
        }
      />
      <VocabularySection title="Terms" scope="installation" mayEdit />
    </>
  );
}
