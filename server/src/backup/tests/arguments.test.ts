import { expect, test } from 'vitest';
import { readCommand } from '../arguments.ts';

const read = (line: string) => readCommand(line.split(' ').filter(Boolean));

test('commands and their options are read', () => {
  const common = { target: '/b', passphraseFile: undefined };
  expect(read('backup /b --encrypt --keep 7')).toEqual({ name: 'backup', isEncrypted: true, keep: 7, ...common });
  expect(read('backup /b')).toEqual({ name: 'backup', isEncrypted: false, keep: undefined, ...common });
  expect(read('restore /b --backup x')).toEqual({ name: 'restore', id: 'x', asSaved: false, ...common });
  expect(read('restore /b --as-saved')).toMatchObject({ name: 'restore', asSaved: true });
  expect(read('schema')).toEqual({ name: 'schema' });
  expect(read('list s3://b --passphrase-file p')).toEqual({ name: 'list', target: 's3://b', passphraseFile: 'p' });
  expect([read('verify'), read('verify --hash all')]).toEqual([
    { name: 'verify', hashShare: 0.05 },
    { name: 'verify', hashShare: 1 },
  ]);
  expect(read('--help')).toEqual({ name: 'help' });
});

test.each([
  ['', 'a command is missing; use backup, restore, list, verify or schema'],
  ['save /b', 'there is no command save; use backup, restore, list, verify or schema'],
  ['backup', 'backup needs one target'],
  ['backup /a /b', 'backup needs one target'],
  ['backup /b --keep 0', '--keep must be a number of backups, 1 or more, not 0'],
  ['restore /b --keep 2', 'restore has no option --keep'],
  ['verify /b', 'takes no target'],
  ['verify --hash some', '--hash must be all, sample or none, not some'],
  ['backup /b --color', "Unknown option '--color'"],
])('%s is refused', (line, message) => {
  expect(() => read(line)).toThrow(message);
});
