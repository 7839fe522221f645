import { randomUUID } from 'node:crypto';
import type { SharedServer } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import { expectProblem } from './problems.ts';
import type { Answer } from './send.ts';
import { sender } from './send.ts';

type Fields = Readonly<Record<string, unknown>>;

/** The initial values of the four fields that may be patched. */
export const whole = { agentDescription: 'north', recentOutput: 'quiet', processID: 7, currentEventID: 8 };

/** An agent to patch, and functions that read the result. */
export async function openPatching(server: SharedServer) {
  const send = sender(server.url, { cookie: server.admin.cookie });
  const deviceSerial = `patched-${randomUUID()}`;
  await server.admin.session.createDevice({ body: { deviceSerial } });
  const agent = await server.admin.session.registerAgent({ body: { deviceSerial, agentType: 'Audio' } });
  const path = `/v1/agent/${agent.key}`;

  const readAll = async (): Promise<Fields> => (await send(`GET ${path}`)).json as Fields;
  const read = async (): Promise<Fields> =>
    Object.fromEntries(Object.entries(await readAll()).filter(([name]) => name in whole));
  const sendPatch = (json: unknown): Promise<Answer> => send(`PATCH ${path}`, { json });

  return {
    read,
    readAll,
    sendPatch,
    async reset(): Promise<void> {
      expect((await send(`PUT ${path}`, { json: { ...whole, agentName: 'name' } })).status).toBe(200);
    },
    /** Applies the patch, and checks that the response is the changed agent. */
    async patched(...operations: unknown[]): Promise<Fields> {
      const answer = await sendPatch(operations);
      expect(answer.status, answer.text).toBe(200);
      expect(answer.json).toEqual(await readAll());
      return read();
    },
    /** Expects a refusal without a change. */
    async refused(status: number, ...operations: unknown[]): Promise<Answer> {
      const answer = await sendPatch(operations);
      expectProblem(answer, status, path);
      expect(await read()).toEqual(whole);
      return answer;
    },
  };
}

export type Patching = Awaited<ReturnType<typeof openPatching>>;
