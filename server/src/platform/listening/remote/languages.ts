/** The languages of Whisper; servers return their English names instead of tags. */
const tags =
  'af am ar as az ba be bg bn bo br bs ca cs cy da de el en es et eu fa fi fo fr gl gu ha haw he hi hr ht hu hy id is it ja jv ka kk km kn ko la lb ln lo lt lv mg mi mk ml mn mr ms mt my ne nl nn no oc pa pl ps pt ro ru sa sd si sk sl sn so sq sr su sv sw ta te tg th tk tl tr tt uk ur uz vi yi yo yue zh'.split(
    ' ',
  );
const otherNames: Readonly<Record<string, string>> = {
  nynorsk: 'nn',
  myanmar: 'my',
  pushto: 'ps',
  sinhala: 'si',
  tagalog: 'tl',
  'haitian creole': 'ht',
  luxembourgish: 'lb',
  occitan: 'oc',
  norwegian: 'no',
};

const names = new Intl.DisplayNames('en', { type: 'language' });
const byName = new Map(tags.map((tag) => [names.of(tag)?.toLowerCase() ?? tag, tag]));

/** The tag of a language by the server's name for it; undefined for an unknown name. */
export function tagLanguage(name: string | undefined): string | undefined {
  const plain = name?.trim().toLowerCase() ?? '';
  if (/^[a-z]{2,3}(-[a-z0-9]+)*$/.test(plain)) return name?.trim();
  return byName.get(plain) ?? otherNames[plain];
}
