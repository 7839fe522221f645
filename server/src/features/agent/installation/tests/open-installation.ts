import { randomUUID } from 'node:crypto';
import { findFreePort } from '../../../../testing/free-port.ts';
import { startTestServer } from '../../../../testing/server.ts';
import { makeAgentFolder } from './agent-folder.ts';

/** A server that serves an agent and its installation script at its public address. */
export async function openInstallation() {
  const port = await findFreePort();
  const publicOrigin = `http://127.0.0.1:${port}`;
  const server = await startTestServer({ port, publicOrigin }, { agentDir: await makeAgentFolder() });
  const script = await (await fetch(`${server.url}/install`)).text();
  return {
    server,
    script,
    makeCode: async (): Promise<{ code: string; deviceSerial: string }> => {
      const deviceSerial = `r-${randomUUID()}`;
      const { key: deviceID = 0 } = await server.admin.session.createDevice({ body: { deviceSerial } });
      const { code = '' } = await server.admin.session.createInstallationCode({ params: { deviceID } });
      return { code, deviceSerial };
    },
  };
}
