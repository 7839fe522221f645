import { stat } from 'node:fs/promises';
import { isIP } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { ApiError } from '@earshot/client/api-error';
import { buildVersion } from '@earshot/contract/build-version';
import { createConnection, namedFetch } from '../connection.ts';
import { explainError, explainNetwork } from '../explain-error.ts';
import { loginsPath } from '../stored-logins.ts';
import type { Check, CheckFinding, Setup } from './check.ts';
import { fault, ok, skipped, warning } from './check.ts';

const noServer = skipped('no server is known');
const patienceMs = 10_000;

/** A request without a credential, or why there is no answer. */
export async function getFrom({ url }: Setup, path: string): Promise<Response | string> {
  try {
    return await namedFetch(new URL(path, url), { signal: AbortSignal.timeout(patienceMs) });
  } catch (error) {
    const cause = (error as { cause?: { code?: string } }).cause;
    return (error as Error).name === 'TimeoutError'
      ? `Cannot reach ${url}: no answer in 10 seconds.`
      : explainNetwork(cause, url);
  }
}

const nodeCheck: Check = {
  name: 'Node.js',
  where: 'anywhere',
  async run() {
    const [major = 0, minor = 0] = process.versions.node.split('.').map(Number);
    if (major > 20 || (major === 20 && minor >= 19)) return ok(`version ${process.versions.node}`);
    return fault(`version ${process.versions.node} is too old`, 'Install Node.js 20.19 or newer.');
  },
};

const addressCheck: Check = {
  name: 'Address',
  where: 'anywhere',
  async run({ url }) {
    if (url !== undefined) return ok(url);
    return fault('no server is known', 'Run “earshot login https://…”, or set EARSHOT_URL.');
  },
};

const reachableCheck: Check = {
  name: 'Server',
  where: 'anywhere',
  async run(setup) {
    if (setup.url === undefined) return noServer;
    const health = await getFrom(setup, '/healthz');
    if (typeof health === 'string') return fault(health, 'Check the address, the network, and that the server runs.');
    if (!health.ok)
      return fault(`/healthz answers with status ${health.status}`, 'Is this the address of an Earshot server?');
    const ready = await getFrom(setup, '/readyz');
    if (typeof ready === 'string') return fault(ready, 'Look at the log of the server.');
    if (ready.ok) return ok('it answers and is ready');
    const { detail } = (await ready.json().catch(() => ({}))) as { detail?: string };
    return fault(`it is not ready: ${detail ?? ready.status}`, 'Wait if it is starting; otherwise mend what it names.');
  },
};

const tlsCheck: Check = {
  name: 'Encryption',
  where: 'anywhere',
  async run({ url }) {
    if (url === undefined) return noServer;
    const { protocol, hostname, port } = new URL(url);
    if (protocol === 'https:') return checkCertificate(hostname, Number(port || 443));
    if (['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return ok('not needed on this machine');
    return warning(
      'the address begins with http: passwords and sound are not encrypted',
      'Put a proxy with TLS before the server and use https.',
    );
  },
};

const fewDays = 14;

function checkCertificate(host: string, port: number): Promise<CheckFinding> {
  return new Promise((resolve) => {
    // An IPv6 address has brackets in a URL only, and an IP address is not a name that TLS may send.
    const address = host.replaceAll(/^\[|\]$/g, '');
    const name = isIP(address) === 0 ? { servername: host } : {};
    const socket = connectTls({ host: address, port, ...name, timeout: patienceMs }, () => {
      const days = Math.floor((Date.parse(socket.getPeerCertificate().valid_to) - Date.now()) / 86_400_000);
      socket.end();
      if (days < fewDays) resolve(warning(`the certificate expires in ${days} days`, 'Renew it on the server.'));
      else resolve(ok(`the certificate is valid for ${days} days`));
    });
    const fail = (text: string) => {
      socket.destroy();
      resolve(fault(text, 'Mend the certificate of the server, or trust its CA with NODE_EXTRA_CA_CERTS.'));
    };
    socket.on('error', (error: NodeJS.ErrnoException) =>
      fail(explainNetwork(error as { code?: string }, `https://${host}`)),
    );
    socket.on('timeout', () => fail('no answer in 10 seconds'));
  });
}

/** Signed requests are refused if the clocks differ by more than five minutes. */
const mostSkewSeconds = 300;

const clockCheck: Check = {
  name: 'Clock',
  where: 'anywhere',
  async run(setup) {
    if (setup.url === undefined) return noServer;
    const response = await getFrom(setup, '/healthz');
    const date = typeof response === 'string' ? undefined : response.headers.get('date');
    if (!date) return skipped('the server does not tell its time');
    return judgeClock(Math.round((Date.now() - Date.parse(date)) / 1_000));
  },
};

function judgeClock(aheadSeconds: number): CheckFinding {
  const off = Math.abs(aheadSeconds);
  const text = `${off} seconds ${aheadSeconds > 0 ? 'ahead of' : 'behind'} the server`;
  const mend = 'Set the clock of this machine, or switch on NTP: “timedatectl set-ntp true”.';
  if (off > mostSkewSeconds) return fault(`${text}: signed requests are refused`, mend);
  return off > 30 ? warning(text, mend) : ok('agrees with the server');
}

const credentialCheck: Check = {
  name: 'Credential',
  where: 'anywhere',
  async run({ io, url, credential }) {
    if (url === undefined) return noServer;
    if (!credential) return fault('you are not signed in', `Run “earshot login ${url}”.`);
    const kind = 'sessionToken' in credential ? 'session' : 'API key';
    try {
      await createConnection(io, url, credential).client.listDevices({ body: { count: 1 } });
      return ok(`the ${kind} is accepted`);
    } catch (error) {
      if (!(error instanceof ApiError)) return skipped(explainError(error, url).message);
      if (error.status !== 401 && error.status !== 419) return fault(error.message, 'Try again later.');
      return fault(
        `the ${kind} is refused: ${error.message}`,
        'Run “earshot login” again, or make a new key in the console.',
      );
    }
  },
};

const storedCheck: Check = {
  name: 'Stored logins',
  where: 'anywhere',
  async run({ io }) {
    const path = loginsPath(io.env);
    const found = await stat(path).catch(() => undefined);
    if (!found) return ok('none');
    if ((found.mode & 0o077) === 0) return ok(`only you can read ${path}`);
    return fault(`others can read ${path}`, `Run “chmod 600 ${path}”, then “earshot logout” and “earshot login”.`);
  },
};

const versionCheck: Check = {
  name: 'Versions',
  where: 'anywhere',
  async run(setup) {
    if (setup.url === undefined) return noServer;
    const response = await getFrom(setup, '/v1/version');
    if (typeof response === 'string' || !response.ok) return skipped('the version of the server is not known');
    const { Version: server = '' } = (await response.json().catch(() => ({}))) as { Version?: string };
    if (server.split('.', 2).join('.') === buildVersion.split('.', 2).join('.'))
      return ok(`server ${server}, this program ${buildVersion}`);
    return warning(`the server is ${server}, this program ${buildVersion}`, 'Use the same version of both.');
  },
};

export const clientChecks: readonly Check[] = [
  nodeCheck,
  addressCheck,
  reachableCheck,
  tlsCheck,
  clockCheck,
  versionCheck,
  storedCheck,
  credentialCheck,
];
