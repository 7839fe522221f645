import type { DatasetClip } from './dataset.ts';
import type { OtherSound } from './other-sounds.ts';
import type { SoundFigures } from './held-out.ts';
import type { HeldOutFigures } from '@earshot/server/platform/listening/labels/weights';

const percent = (share: number) => (100 * share).toFixed(1);

const begin = '<!-- figures: written by npm run train:labels -->';
const end = '<!-- end of figures -->';

/** The document with its figures replaced by those of this training. */
export function replaceFigures(
  document: string,
  folds: readonly HeldOutFigures[],
  all: HeldOutFigures,
  perSound: readonly SoundFigures[],
): string {
  const [from, to] = [document.indexOf(begin), document.indexOf(end)];
  if (from < 0 || to < from) throw new Error('the document lacks the markers for the figures');
  const rows = [...folds.map((fold, at) => [`fold ${at + 1}`, fold] as const), ['**all**', all] as const];
  const lines = [
    '| in % | right | among the first three | of what is said (≥ 50) right | of all named (≥ 50) | labels for sounds of no class (≥ 50) |',
    '|---|---|---|---|---|---|',
    ...rows.map(([name, figures]) => {
      const { accuracy, topThree, precisionAt50, recallAt50, falseAlarmsAt50 } = figures;
      const cells = [accuracy, topThree, precisionAt50, recallAt50, falseAlarmsAt50].map(percent);
      return `| ${name} | ${cells.join(' | ')} |`;
    }),
    '',
    '| sound | clips | precision | recall | precision ≥ 50 | recall ≥ 50 |',
    '|---|---|---|---|---|---|',
    ...perSound.map(({ name, clips, precision, recall, precisionAt50, recallAt50 }) => {
      const cells = [precision, recall, precisionAt50, recallAt50].map(percent);
      return `| ${name} | ${clips} | ${cells.join(' | ')} |`;
    }),
  ];
  return `${document.slice(0, from)}${begin}\n\n${lines.join('\n')}\n\n${document.slice(to)}`;
}

/** Collections of sounds besides ESC-50, by the beginning of their path. */
const collections: readonly { readonly start: string; readonly credit: string }[] = [
  {
    start: 'nbrosowsky/tonejs-instruments/',
    credit:
      'Nicholaus P. Brosowsky, with samples of VSCO 2, Karoryfer, the University of Iowa and freesound.org [CC-BY]',
  },
  { start: 'sonic-pi-net/sonic-pi/', credit: 'samples of Sonic Pi, from freesound.org and Uwe Zahn [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/kenney_', credit: 'Kenney [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/sci-fi-sounds/', credit: 'Kenney [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/BB_', credit: 'Ben Burnes, Mark Powers [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/bb ', credit: 'Ben Burnes [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/Micro Pack', credit: 'Ben Burnes and others [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/MMRetro', credit: 'The Motion Monkey [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/public/sounds/warfork', credit: 'Warfork [CC0]' },
  { start: 'rowink/CC0-Sounds-Web/', credit: 'collections at opengameart.org [CC0]' },
];

/** The credit of a sound. Throws if its collection is not listed, so that no sound is used without a credit. */
export function creditOf({ repository, paths }: OtherSound): string {
  const path = `${repository}/${paths[0]}`;
  const found = collections.find(({ start }) => path.startsWith(start));
  if (!found) throw new Error(`${path} belongs to no listed collection: add its author and licence to documents.ts`);
  return found.credit;
}

/** The authors of the training data: one line for each author and licence with the numbers of the recordings. */
export function writeAttribution(clips: readonly DatasetClip[], others: readonly OtherSound[]): string {
  const authors = new Map<string, Set<string>>();
  for (const { author, licence, source } of clips) {
    const number = /\/(\d+)\/?$/.exec(source)?.[1] ?? source;
    const key = `${author} [${licence}]`;
    authors.set(key, (authors.get(key) ?? new Set()).add(number));
  }
  const lines = [...authors].map(([author, sounds]) => `${author}: ${[...sounds].toSorted().join(' ')}`);
  const credits = new Set(others.map((other) => `https://github.com/${other.repository}: ${creditOf(other)}`));
  return [
    'weights.json was trained on clips of ESC-50 (Karol J. Piczak, https://github.com/karolpiczak/ESC-50), excerpts of',
    'the recordings below, changed by cutting and by another sample rate. Each line: author [licence]: numbers of their',
    'sounds, which are at https://freesound.org/s/<number>/. CC-BY: https://creativecommons.org/licenses/by/3.0/,',
    'CC0: https://creativecommons.org/publicdomain/zero/1.0/. Written by npm run train:labels.',
    '',
    ...lines.toSorted(),
    '',
    'It was also trained on these collections, changed by cutting, joining and by another sample rate; the sounds are',
    'listed in training/other-sounds.tsv:',
    '',
    ...[...credits].toSorted(),
    '',
  ].join('\n');
}
