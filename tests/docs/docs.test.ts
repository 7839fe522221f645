import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { indexPath } from '@earshot/server/features/pages/docs/addresses';
import { readingOrder, readContents } from '@earshot/server/features/pages/docs/contents';
import { describe, expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';
import { exceptions } from './exceptions.ts';
import { findFaults } from './find-faults.ts';
import { findLinkFaults } from './links.ts';
import { readMentions } from './mentions.ts';
import { readSources, readTexts } from './sources.ts';

const sources = readSources();
const documents = sources.files.filter((path) => path.endsWith('.md'));
/** The changelog tells of what was, and templates of what somebody will write. */
const ofToday = documents.filter((path) => path !== 'CHANGELOG.md' && !path.startsWith('.github/'));

describe('the documentation', () => {
  test('links only to files and headings that exist', () => {
    expect(documents.flatMap((path) => readMentions(path)).flatMap(findLinkFaults)).toEqual([]);
  });

  test('names only paths, settings, names, commands and operations that exist', () => {
    expect(ofToday.flatMap((path) => findFaults(readMentions(path), sources))).toEqual([]);
  });

  test('lists each of its pages once, in the order of reading', () => {
    const read = (path: string) => readFileSync(join(repository, 'docs', path), 'utf8');
    const listed = readingOrder(readContents(read)).map(({ path }) => path);
    const pages = documents.flatMap((path) => (path.startsWith('docs/') ? [path.slice('docs/'.length)] : []));
    expect(listed.toSorted()).toEqual(pages.filter((path) => path !== indexPath).toSorted());
  });

  test('needs every exception', () => {
    const mentions = documents.flatMap((path) => readMentions(path));
    const isUsed = (files: readonly string[], text: string) =>
      mentions.some((mention) => files.includes(mention.file) && mention.text.includes(text));
    expect(exceptions.flatMap(({ files, texts }) => texts.filter((text) => !isUsed(files, text)))).toEqual([]);
  });
});

/** The texts in the first column of the tables; `…` stands for anything. */
const symptoms = [
  ...readFileSync(join(repository, 'docs/troubleshooting.md'), 'utf8').matchAll(/^\| ([^|]*)\|/gm),
].flatMap(([, cell]) => [...cell!.matchAll(/`([^`]{12,})`/g)].map(([, text]) => text!));

test('the page about troubleshooting quotes texts of the sources', () => {
  expect(symptoms.length).toBeGreaterThan(25);
  const quoted = readTexts();
  const isSaid = (text: string) => {
    const parts = text.split('…').map((part) => part.trim());
    return quoted.some((source) => parts.every((part) => source.includes(part)));
  };
  expect(symptoms.filter((text) => !isSaid(text))).toEqual([]);
});

describe('the check', () => {
  const faultsOf = (text: string) => findFaults(readMentions('docs/example.md', text), sources);

  test.each([
    ['`server/src/nowhere.ts`', 'there is no file or folder server/src/nowhere.ts'],
    ['`event/nowhere.ts`', 'there is no file or folder event/nowhere.ts'],
    ['`EARSHOT_NO_SUCH_SETTING`', 'no source reads the setting EARSHOT_NO_SUCH_SETTING'],
    ['`earshot_no_such_metric`', 'no source has the name earshot_no_such_metric'],
    ['`inventNothing`', 'no source has the name inventNothing'],
    ['`inventNothing(db)`', 'no source has the name inventNothing'],
    ['`npm run nothing`', 'package.json has no script nothing'],
    ['`npm run bench -- nothing`', 'there is no bench nothing'],
    ['`earshot nothing`', 'earshot has no command earshot nothing'],
    ['`earshot events nothing`', 'earshot has no command events nothing'],
    ['`earshot devices --nothing`', 'earshot devices has no option --nothing'],
    ['`GET /v1/nothing`', 'the API has no operation GET /v1/nothing'],
    ['`DELETE /v1/device/list`', 'the API has no operation DELETE /v1/device/list'],
    ['```sh\nEARSHOT_URL=x earshot nothing\n```', 'earshot has no command earshot nothing'],
    ['```sh\nnpm ci && npm run nothing\n```', 'package.json has no script nothing'],
    ['```sh\nnode scripts/nothing.mjs\n```', 'there is no file or folder scripts/nothing.mjs'],
  ])('finds what is missing: %s', (text, fault) => {
    const line = text.startsWith('```') ? 2 : 1;
    expect(faultsOf(text)).toEqual([`docs/example.md:${line}: ${fault}`]);
  });

  test('finds a backup command that the program does not take', () => {
    expect(faultsOf('`npm run backup -- backup /a --hash all`')).toEqual([
      expect.stringContaining('docs/example.md:1: npm run backup does not take “backup /a --hash all”'),
    ]);
  });

  test('takes what exists', () => {
    const text = [
      '`server/src/features/<noun>/`, `device/queries.ts`, `EARSHOT_PORT`, `retentionDays`, `readBlocks`',
      '`npm run bench -- queue`, `npm run backup -- list`, `earshot events send`, `GET /v1/device/{deviceID}`',
      '`text/html`, `a/b`, `GET /v1/device/5?x=1`',
    ];
    expect(faultsOf(text.join('\n'))).toEqual([]);
  });

  test('finds links without a target', () => {
    const faults = readMentions('docs/operating.md', '[a](nowhere.md) [b](backup.md#nowhere) [c](backup.md)');
    expect(faults.flatMap(findLinkFaults)).toEqual([
      'docs/operating.md:1: the link nowhere.md leads to no file',
      'docs/operating.md:1: docs/backup.md has no heading for the link backup.md#nowhere',
    ]);
  });
});
