import type { Command } from './command.ts';
import { defineGroup } from './command.ts';
import { agentsCommand } from './commands/agents.ts';
import { backupCommand, restoreCommand, verifyCommand } from './commands/backup.ts';
import { bulkCommand } from './commands/bulk.ts';
import { clipsCommand } from './commands/clips.ts';
import { createCompletionCommands } from './commands/completion.ts';
import { custodyCommand, verifyCustodyCommand } from './commands/custody.ts';
import { devicesCommand } from './commands/devices.ts';
import { doctorCommand } from './commands/doctor.ts';
import { downloadCommand } from './commands/download.ts';
import { eventsCommand } from './commands/events.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { listenCommand } from './commands/listen.ts';
import { loginCommand, logoutCommand } from './commands/login.ts';
import { presetsCommand } from './commands/presets.ts';
import { agentCommand, serveCommand, workerCommand } from './commands/run-platform.ts';
import { rulesCommand } from './commands/rules.ts';
import { searchCommand } from './commands/search.ts';
import { subscriptionsCommand } from './commands/subscriptions.ts';
import { tailCommand } from './commands/tail.ts';
import { transcribeAgainCommand } from './commands/transcribe-again.ts';
import { uploadCommand } from './commands/upload.ts';
import { verifyAuditCommand } from './commands/verify-audit.ts';
import { versionCommand } from './commands/version.ts';
import { simulateCommand } from './simulate/command.ts';

/** The program: every command, in the order of the help. */
export const program: Command = {
  ...defineGroup({
    name: 'earshot',
    summary: 'Work with a fleet of recorders from a terminal',
    commands: [
      loginCommand,
      logoutCommand,
      devicesCommand,
      agentsCommand,
      clipsCommand,
      searchCommand,
      listenCommand,
      uploadCommand,
      downloadCommand,
      transcribeAgainCommand,
      importCommand,
      eventsCommand,
      bulkCommand,
      presetsCommand,
      rulesCommand,
      subscriptionsCommand,
      tailCommand,
      keysCommand,
      custodyCommand,
      verifyCustodyCommand,
      doctorCommand,
      simulateCommand,
      serveCommand,
      workerCommand,
      agentCommand,
      backupCommand,
      restoreCommand,
      verifyCommand,
      verifyAuditCommand,
      versionCommand,
      ...createCompletionCommands(() => program),
    ],
  }),
  examples: [
    { line: 'earshot login https://earshot.example.org', text: 'sign in once' },
    { line: 'earshot devices', text: 'see the fleet' },
    { line: 'earshot search "north gate" --since 7d', text: 'find what was said' },
    { line: 'earshot doctor', text: 'when something does not work' },
  ],
};
