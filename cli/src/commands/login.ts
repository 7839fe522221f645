import { ApiError } from '@earshot/client/api-error';
import { signInWithPassword } from '@earshot/client/sign-in';
import type { ClientCredential } from '@earshot/client/credential';
import { defineCommand } from '../command.ts';
import { createConnection, findAddress, namedFetch } from '../connection.ts';
import { exitCodes, Failure, usageFailure } from '../failure.ts';
import type { Prompter } from '../prompt.ts';
import { createPrompter } from '../prompt.ts';
import type { StoredLogin } from '../stored-logins.ts';
import { loginsPath, readLogins, writeLogins } from '../stored-logins.ts';

export const loginCommand = defineCommand({
  name: 'login',
  summary: 'Sign in to a server, or keep an API key for it',
  description:
    'The password or key is asked without being shown, or read from standard input: one line for each question. It never stands on the command line, where other users of the machine could see it. A session or key is kept in a file that only you can read.',
  operands: [{ name: 'ADDRESS', isOptional: true, help: 'the server, as --url' }],
  options: {
    key: { kind: 'flag', help: 'use an API key instead of an e-mail address and a password' },
    email: { kind: 'text', value: 'ADDRESS', help: 'the e-mail address; asked when missing' },
  },
  examples: [
    { line: 'earshot login https://earshot.example.org', text: 'asks for e-mail address and password' },
    {
      line: 'earshot login --key https://earshot.example.org < key.txt',
      text: 'access key and secret key, a line each',
    },
  ],
  async run({ options, operands: [address], io, output, json, url: given }) {
    if (address !== undefined && given !== undefined)
      throw usageFailure('The address is given twice. Leave out --url.');
    const logins = await readLogins(io.env);
    const prompter = createPrompter(io);
    try {
      const url = findAddress(io, address ?? given, logins);
      warnOfPlainHttp(url, (line) => output.warn(line));
      if (options.key && options.email !== undefined)
        throw usageFailure('--email is not used with --key. Leave one out.');
      const login = options.key ? await askKey(prompter) : await askPassword(prompter, url, options.email);
      const importKey = logins.servers[url]?.importKey;
      const credential: ClientCredential =
        login.kind === 'key' ? { ...login, signed: true } : { sessionToken: login.sessionToken };
      // Fails if the key is wrong.
      await createConnection(io, url, credential).client.listDevices({ body: { count: 1 } });
      await writeLogins(io.env, {
        current: url,
        servers: { ...logins.servers, [url]: { ...login, ...(importKey === undefined ? {} : { importKey }) } },
      });
      const who = login.kind === 'session' ? login.email : `API key ${login.accessKey}`;
      if (json) output.record({ url, kind: login.kind, as: who });
      else output.say(`Signed in to ${url} as ${who}. This is kept in ${loginsPath(io.env)}.`);
    } finally {
      prompter.close();
    }
  },
});

async function askKey(prompter: Prompter): Promise<StoredLogin & { kind: 'key' }> {
  const accessKey = (await prompter.ask('Access key')).trim();
  const secretKey = (await prompter.askSecret('Secret key')).trim();
  if (accessKey === '' || secretKey === '') throw new Failure('Both the access key and the secret key are needed.');
  return { kind: 'key', accessKey, secretKey };
}

async function askPassword(
  prompter: Prompter,
  url: string,
  givenEmail: string | undefined,
): Promise<StoredLogin & { kind: 'session' }> {
  const email = givenEmail ?? (await prompter.ask('E-mail address')).trim();
  const password = await prompter.askSecret('Password');
  const { credential } = await signInWithPassword({ url, fetch: namedFetch }, { email, password }).catch(
    (error: unknown) => {
      if (error instanceof ApiError && error.status === 401)
        throw new Failure('The e-mail address or the password is wrong. Run the command again.', exitCodes.notAllowed);
      throw error;
    },
  );
  if (!credential) throw new Failure(`${url} did not open a session. Is it an Earshot server?`);
  return { kind: 'session', sessionToken: credential.sessionToken, email };
}

function warnOfPlainHttp(url: string, warn: (line: string) => void): void {
  const { protocol, hostname } = new URL(url);
  if (protocol === 'https:' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname)) return;
  warn(`${url} is not encrypted: others on the network can read what is sent. Use https if you can.`);
}

export const logoutCommand = defineCommand({
  name: 'logout',
  summary: 'Sign out, and forget the session or key',
  examples: [{ line: 'earshot logout', text: 'of the server that was used last' }],
  async run({ io, output, json, url: given }) {
    const logins = await readLogins(io.env);
    const url = findAddress(io, given, logins);
    const { [url]: login, ...servers } = logins.servers;
    if (!login) throw new Failure(`You are not signed in to ${url}. There is nothing to forget.`);
    if (login.kind === 'session') {
      const { client } = createConnection(io, url, { sessionToken: login.sessionToken });
      await client
        .deleteSession()
        .catch((error: unknown) =>
          output.warn(`The session could not be ended on the server: ${(error as Error).message}`),
        );
    }
    const { current, ...rest } = logins;
    await writeLogins(io.env, { ...rest, ...(current === undefined || current === url ? {} : { current }), servers });
    if (json) output.record({ url, signedOut: true });
    else output.say(`Signed out of ${url}.`);
  },
});
