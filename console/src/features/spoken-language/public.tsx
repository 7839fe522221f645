export { LanguageQuestion } from './question.tsx';
export { LanguagesSection } from './section.tsx';
