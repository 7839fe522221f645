import type { FindFaults } from './sources.ts';

const setting = /\bEARSHOT_[A-Z0-9]+(?:_[A-Z0-9]+)*\b(?!_)/g;
/** A name of the code, of a table or of the API: two words in one, so that it is not a word of the language. */
const name = /^(?:[a-z][a-z0-9]*[A-Z][A-Za-z0-9]*|[A-Z][a-z0-9]+[A-Z][A-Za-z0-9]*|[A-Za-z][a-z0-9]*(?:_[a-z0-9]+)+)$/;

/** `params.deviceID` and `findClip(db)` have names too. */
const namesIn = (code: string): readonly string[] =>
  /^[\w$.]+(?:\([^()]*\))?$/.test(code)
    ? code
        .replace(/\(.*$/, '')
        .split('.')
        .filter((part) => name.test(part))
    : [];

export const findNameFaults: FindFaults = ({ kind, text }, { words }) => {
  if (kind === 'link') return [];
  const settings = [...text.matchAll(setting)].map(([found]) => found).filter((found) => !words.has(found));
  const names = kind === 'code' ? namesIn(text).filter((found) => !words.has(found)) : [];
  return [
    ...settings.map((found) => `no source reads the setting ${found}`),
    ...names.map((found) => `no source has the name ${found}`),
  ];
};
