import type { InstallFacts } from './availability.ts';

/** The script with the address of this server and the hashes of the programs; nothing else changes in it. */
export function writeScript({ server, agent }: InstallFacts): string {
  const values: Readonly<Record<string, string>> = {
    server,
    agent_version: agent.version,
    agent_sha256: agent.sha256,
    launch_sha256: agent.launchSha256,
  };
  return agent.script.replaceAll(/^(\w+)='@\w+@'$/gm, (line, name: string) => {
    const value = values[name];
    // Inside single quotes nothing but a quote has a meaning; the values have no such signs.
    if (value === undefined || !/^[A-Za-z0-9.:/[\]+-]+$/.test(value)) throw new Error(`${line} cannot be filled in`);
    return `${name}='${value}'`;
  });
}
