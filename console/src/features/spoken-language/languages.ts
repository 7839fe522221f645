import { languageName } from '@earshot/contract/caption-marks';

/** Offered by name. Any other language can be named by its tag. */
const offered =
  'ar bn bg ca zh hr cs da nl en et fi fr de el he hi hu id it ja ko lv lt ms no fa pl pt ro ru sr sk sl es sw sv tl ta te th tr uk ur vi cy';

export interface OfferedLanguage {
  readonly tag: string;
  readonly name: string;
}

export const offeredLanguages: readonly OfferedLanguage[] = offered
  .split(' ')
  .map((tag) => ({ tag, name: languageName(tag) }))
  .toSorted((a, b) => a.name.localeCompare(b.name));

export const listNames = (tags: readonly string[]): string =>
  new Intl.ListFormat('en', { type: 'conjunction' }).format(tags.map(languageName));

/** The tag for what a person typed: the name of an offered language, or a tag. */
export function tagOf(typed: string): string {
  const text = typed.trim();
  return offeredLanguages.find(({ name }) => name.toLowerCase() === text.toLowerCase())?.tag ?? text;
}
