import { program } from '../../cli/src/commands.ts';
import type { Command } from '../../cli/src/command.ts';
import { readCommand } from '@earshot/server/backup/arguments';
import type { FindFaults, Sources } from './sources.ts';

export const findCommandFaults: FindFaults = ({ kind, text }, sources) => {
  if (kind === 'link') return [];
  // What follows a comment, a pipe or another command is a command of its own.
  return text
    .replace(/(?:^|\s)#.*$/, '')
    .split(/\s(?:&&|\|\|?|;)\s/)
    .flatMap((part) => [...findNpmFaults(part, sources), ...findEarshotFaults(part, kind === 'code')]);
};

function findNpmFaults(text: string, { scripts, benches }: Sources): readonly string[] {
  const [, given, others = ''] = /\bnpm (?:run )?(test|start|(?<=run )[\w:-]+)(.*)$/.exec(text) ?? [];
  if (given === undefined) return [];
  if (!scripts.has(given)) return [`package.json has no script ${given}`];
  const [, after] = / -- (.*)$/.exec(others) ?? [];
  if (after === undefined) return [];
  const words = after.split(/\s+/).filter(Boolean);
  if (given === 'bench')
    return words[0] === undefined || benches.has(words[0]) ? [] : [`there is no bench ${words[0]}`];
  return given === 'backup' ? findBackupFaults(words) : [];
}

function findBackupFaults(words: readonly string[]): readonly string[] {
  const given = words.map((word) => word.replaceAll(/^['"]|['"]$/g, ''));
  // A name alone, as in running text, stands for the command with what it needs.
  const whole = given.length === 1 && /^(?:backup|restore|list)$/.test(given[0]!) ? [...given, '/a/folder'] : given;
  try {
    readCommand(whole);
    return [];
  } catch (error) {
    return [`npm run backup does not take “${given.join(' ')}”: ${(error as Error).message}`];
  }
}

const commonOptions = new Set(['url', 'json', 'help', 'version']);
const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** In running text only code that begins with `earshot` is a command line; in a block also one after settings. */
function findEarshotFaults(text: string, isText: boolean): readonly string[] {
  const pattern = isText ? /^earshot (.+)$/ : /^\s*(?:[A-Z_]+=\S+\s+)*(?:npx )?earshot (.+)$/;
  const [, rest] = pattern.exec(text) ?? [];
  if (rest === undefined) return [];
  const words = rest.replaceAll(/'[^']*'|"[^"]*"/g, 'text').split(/\s+/);
  let command: Command = program;
  const operands = words.filter((word, index) => !word.startsWith('-') && !words[index - 1]?.startsWith('--url'));
  for (const word of operands) {
    if (command.commands.length === 0 || !/^[a-z]/.test(word)) break;
    const next = command.commands.find(({ name }) => name === word);
    if (!next) return [`earshot has no command ${[command.name, word].join(' ')}`];
    command = next;
  }
  if (command.passesThrough) return [];
  const options = new Set([...Object.keys(command.options).map(kebab), ...commonOptions]);
  return words
    .flatMap((word) => /^--([a-z][a-z-]*)/.exec(word)?.[1] ?? [])
    .filter((option) => !options.has(option))
    .map((option) => `earshot ${command.name} has no option --${option}`);
}
