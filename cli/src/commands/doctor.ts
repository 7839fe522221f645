import { existsSync } from 'node:fs';
import type { ClientCredential } from '@earshot/client/credential';
import { defineCommand } from '../command.ts';
import { findAddress, findCredential } from '../connection.ts';
import type { CheckFinding, Setup } from '../doctor/check.ts';
import { clientChecks } from '../doctor/client-checks.ts';
import { healthChecks } from '../doctor/health-checks.ts';
import { serverChecks } from '../doctor/server-checks.ts';
import { Failure } from '../failure.ts';
import { dataFolderOf, findPlatform } from '../installation.ts';
import type { Io } from '../io.ts';
import type { Paint } from '../paint.ts';
import { readLogins } from '../stored-logins.ts';

const checks = [...clientChecks, ...healthChecks, ...serverChecks];

export const doctorCommand = defineCommand({
  name: 'doctor',
  summary: 'Check the set-up, and say what to mend',
  description:
    'Ends with code 1 if something is wrong. It asks the server for its state: storage, connections, worker, transcription and faults. On the machine of the server it also checks data folder, disk, database and its schema, ffmpeg, models and public address, with the settings in the environment.',
  options: {
    backups: { kind: 'text', value: 'FOLDER', help: 'check the age of the backups in this folder' },
    server: { kind: 'flag', help: 'check this machine as a server, also before its first start' },
  },
  examples: [
    { line: 'earshot doctor', text: 'from this machine to the server' },
    { line: 'earshot doctor --backups /backup/earshot', text: 'also whether there is a backup of the last two days' },
    { line: 'earshot doctor --server', text: 'also this machine as a server' },
  ],
  async run({ options, io, output, json, url }) {
    const setup = { ...(await readSetup(io, url, options.server)), backups: options.backups };
    const found: CheckFinding[] = [];
    for (const { name, where, run } of checks) {
      if (where === 'server' && setup.platform === undefined) continue;
      const finding = await run(setup);
      found.push(finding);
      if (json) output.record({ name, ...finding });
      else {
        const { mark, paint } = marks(output.paint)[finding.state];
        output.sayParts([{ text: mark, paint }, ` ${name.padEnd(14)}  ${finding.text}`]);
        if (finding.mend !== undefined)
          output.sayParts([' '.repeat(18), { text: `→ ${finding.mend}`, paint: output.paint.bold }]);
      }
    }
    const faults = found.filter(({ state }) => state === 'fault').length;
    if (faults > 0) throw new Failure(faults === 1 ? 'One thing is wrong.' : `${faults} things are wrong.`);
    const warnings = found.filter(({ state }) => state === 'warning').length;
    if (!json)
      output.note(
        warnings === 0
          ? 'All is well.'
          : `It works; look at ${warnings === 1 ? 'the warning' : `the ${warnings} warnings`}.`,
      );
  },
});

const marks = (paint: Paint) =>
  ({
    ok: { mark: '✓', paint: paint.green },
    warning: { mark: '!', paint: paint.yellow },
    fault: { mark: '✗', paint: paint.red },
    skipped: { mark: '-', paint: paint.dim },
  }) as const;

async function readSetup(io: Io, given: string | undefined, asServer: boolean): Promise<Omit<Setup, 'backups'>> {
  const logins = await readLogins(io.env);
  const isGiven = given !== undefined || Boolean(io.env['EARSHOT_URL']);
  const address = isGiven ? findAddress(io, given, logins) : attempt(() => findAddress(io, given, logins));
  const credential: ClientCredential | undefined =
    address === undefined ? undefined : attempt(() => findCredential(io, address, logins));
  const folder = findPlatform();
  const hasData = folder !== undefined && existsSync(dataFolderOf(io, folder));
  return { io, url: address, credential, platform: asServer || hasData ? folder : undefined };
}

/** What is not known is reported by a check. */
function attempt<Value>(find: () => Value): Value | undefined {
  try {
    return find();
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
