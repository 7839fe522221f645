import { buildVersion } from '@earshot/contract/build-version';
import { defineCommand } from '../command.ts';

export const versionCommand = defineCommand({
  name: 'version',
  summary: 'Show the version of this program and of the server',
  examples: [{ line: 'earshot version', text: 'both versions' }],
  async run({ connect, json, output }) {
    const { client, url } = await connect();
    const { Version: server } = await client.getVersion();
    if (json) output.record({ earshot: buildVersion, server, url });
    else output.say(`earshot ${buildVersion}, server ${server} at ${url}`);
  },
});
