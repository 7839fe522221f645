import { defineGroup, type Command } from './command.ts';
import { versionCommand } from './commands/version.ts';
import { simulateCommand } from './simulate/command.ts';

/** The program: every command, in the order of the help. */
export const program: Command = defineGroup({
  name: 'earshot',
  summary: 'Work with a fleet of recorders from a terminal',
  commands: [versionCommand, simulateCommand],
});
