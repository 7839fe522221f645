/*
 * Whisper may write another language than the one that it was told: English for speech that it was told to be Chinese. The
 * script of the words shows that.
 */

type Script = keyof typeof scripts;

/** For each script, the languages of Whisper that are written in it, the one with the most speakers first. */
const scripts = {
  Han: ['zh', 'yue', 'ja'],
  Kana: ['ja'],
  Hangul: ['ko'],
  Cyrillic: ['ru', 'uk', 'bg', 'sr', 'mk', 'be', 'kk', 'mn', 'tg', 'tt', 'ba', 'bs'],
  Arabic: ['ar', 'fa', 'ur', 'ps', 'sd'],
  Devanagari: ['hi', 'mr', 'ne', 'sa'],
  Greek: ['el'],
  Hebrew: ['he', 'yi'],
  Thai: ['th'],
} as const satisfies Record<string, readonly string[]>;

const patterns: Readonly<Record<Script | 'Latin', RegExp>> = {
  Latin: /\p{Script=Latin}/gu,
  Han: /\p{Script=Han}/gu,
  Kana: /[\p{Script=Hiragana}\p{Script=Katakana}]/gu,
  Hangul: /\p{Script=Hangul}/gu,
  Cyrillic: /\p{Script=Cyrillic}/gu,
  Arabic: /\p{Script=Arabic}/gu,
  Devanagari: /\p{Script=Devanagari}/gu,
  Greek: /\p{Script=Greek}/gu,
  Hebrew: /\p{Script=Hebrew}/gu,
  Thai: /\p{Script=Thai}/gu,
};

const languagesOf = (script: Script): readonly string[] => scripts[script];
const isScript = (name: string): name is Script => name in scripts;

/** The language of a text that was written for speech in the given language. */
export function languageOfText(text: string, given: string): string {
  const counts = Object.entries(patterns).map(([script, pattern]) => ({
    script,
    letters: text.match(pattern)?.length ?? 0,
  }));
  const most = counts.reduce((best, other) => (other.letters > best.letters ? other : best));
  if (most.letters === 0) return given;
  const isOfScript = isScript(most.script)
    ? languagesOf(most.script).includes(given)
    : !Object.values(scripts).some((languages: readonly string[]) => languages.includes(given));
  if (isOfScript || (most.script === 'Latin' && given === 'sr')) return given;
  return isScript(most.script) ? languagesOf(most.script)[0]! : 'en';
}
