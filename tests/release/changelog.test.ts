import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { repository } from '../process/server-process.ts';
import { loadChangelogScript } from './scripts.ts';

const { releaseChangelog } = await loadChangelogScript();
const before = '# Changelog\n\nFor people.\n\n';
const after = '## 0.1.0 – 2026-11-16\n\n- First.\n';

test('what is unreleased goes under the version and its date, and an empty section stays above', () => {
  const text = `${before}## Unreleased\n\n### Devices\n\n- Faster.\n\n${after}`;
  const released = releaseChangelog(text, '0.2.0', '2026-12-01');
  expect(released).toBe(`${before}## Unreleased\n\n## 0.2.0 – 2026-12-01\n\n### Devices\n\n- Faster.\n\n${after}`);
  expect(() => releaseChangelog(released, '0.3.0', '2026-12-02')).toThrow('say there what changes for users');
});

test.each([
  ['without the section', `${before}${after}`, 'has no section “## Unreleased”'],
  ['with an empty section', `${before}## Unreleased\n\n${after}`, 'is empty'],
  ['with headings alone', `${before}## Unreleased\n\n### Devices\n\n${after}`, 'is empty'],
  ['with the version', `${before}## Unreleased\n\n- Faster.\n\n${after.replace('0.1.0', '0.2.0')}`, 'already'],
])('a changelog %s is no release', (_, text, reason) => {
  expect(() => releaseChangelog(text, '0.2.0', '2026-12-01')).toThrow(reason);
});

test('the changelog of this repository can be released', async () => {
  const text = await readFile(join(repository, 'CHANGELOG.md'), 'utf8');
  const released = releaseChangelog(text, '99.0.0', '2099-01-01');
  expect(released.split('\n').filter((line) => line.startsWith('## '))).toEqual([
    '## Unreleased',
    '## 99.0.0 – 2099-01-01',
    ...text.split('\n').filter((line) => line.startsWith('## ') && line !== '## Unreleased'),
  ]);
});
