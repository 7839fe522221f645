import type { SharedServer } from '@earshot/server/testing/server';
import { adminEmail, adminPassword } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import type { Cli } from './run-cli.ts';
import { openCli } from './run-cli.ts';

/** Signed in as the admin, with a session. */
export async function signedIn(server: SharedServer): Promise<Cli> {
  const cli = await openCli();
  const result = await cli.run(['login', '--url', server.url], { input: `${adminEmail}\n${adminPassword}\n` });
  expect(result, result.err).toMatchObject({ code: 0 });
  return cli;
}

/** With an API key of the admin in the environment. */
export async function withKey(server: SharedServer): Promise<Cli> {
  const { credential } = await server.admin.withKey();
  return openCli({
    EARSHOT_URL: server.url,
    EARSHOT_ACCESS_KEY: credential.accessKey,
    EARSHOT_SECRET_KEY: credential.secretKey,
  });
}
