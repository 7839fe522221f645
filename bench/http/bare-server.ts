// The reference: node:http and the same SQL statement, without the platform.
import type { IncomingMessage } from 'node:http';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import { changeAgent, findAgent } from '@earshot/server/features/agent/queries';
import { renewProcessing } from '@earshot/server/features/event/take/lease-queries';
import { connect } from '@earshot/server/platform/database/connect';

const db = connect(process.env['EARSHOT_DATABASE_URL'] ?? '', { connections: 20, name: 'bare' });
const times = { leaseSeconds: 300, retrySeconds: 5 };
const caller = { userID: Number(process.env['BENCH_USER']), role: 'member', credential: '' } as const;

async function answer(request: IncomingMessage): Promise<string> {
  const agentID = Number(request.url?.split('/').at(-1));
  if (request.method === 'GET') return JSON.stringify(await findAgent(db, caller, agentID));
  const body = JSON.parse((await buffer(request)).toString('utf8')) as { recentOutput: string };
  await changeAgent(db, caller, agentID, body, (agents) => renewProcessing(db, times, agents));
  return '';
}

const server = createServer((request, response) => {
  answer(request).then(
    (text) => response.writeHead(200, { 'content-type': 'application/json' }).end(text),
    (error: unknown) => response.writeHead(500).end(String(error)),
  );
});
server.listen(0, '127.0.0.1', () => {
  process.stdout.write(`Earshot is ready at http://127.0.0.1:${(server.address() as AddressInfo).port}\n`);
});
