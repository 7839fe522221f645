export { VocabularySection } from './section.tsx';
