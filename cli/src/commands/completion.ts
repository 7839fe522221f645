import type { Command } from '../command.ts';
import { defineCommand } from '../command.ts';
import { completionScript, shells, suggestWords } from '../completion.ts';
import { findClosest } from '../closest.ts';
import { usageFailure } from '../failure.ts';

/** The program is passed as a function, because this command is part of it. */
export const createCompletionCommands = (program: () => Command): readonly Command[] => [
  defineCommand({
    name: 'completion',
    summary: 'Print the completion script of a shell',
    operands: [{ name: 'SHELL', choices: shells, help: 'the shell' }],
    examples: [
      { line: 'source <(earshot completion bash)', text: 'in ~/.bashrc' },
      { line: 'earshot completion zsh > ~/.zfunc/_earshot', text: 'in a folder of fpath' },
      { line: 'earshot completion fish > ~/.config/fish/completions/earshot.fish', text: 'for fish' },
    ],
    async run({ operands, io }) {
      const shell = shells.find((each) => each === operands[0]);
      if (!shell)
        throw usageFailure(`SHELL must be one of ${shells.join(', ')}; ${findClosest(operands[0]!, shells) ?? ''}.`);
      io.stdout.write(completionScript(shell));
    },
  }),
  {
    ...defineCommand({
      name: '__complete',
      summary: 'Print the words that may follow, for the completion scripts',
      examples: [],
      passesThrough: true,
      async run({ operands, output, connect }) {
        const words = await suggestWords(program(), operands, async () => {
          const { client } = await connect();
          return (await client.listDevices({ body: { count: 200 } })).flatMap(({ deviceSerial }) => deviceSerial ?? []);
        });
        for (const word of words) output.say(word);
      },
    }),
    isHidden: true,
  },
];
