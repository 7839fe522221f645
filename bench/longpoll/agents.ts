// Many agents in one separate process, each with a plain socket, so that the client costs little compared with the
// server.
import type { Socket } from 'node:net';
import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface Orders {
  readonly url: string;
  readonly authorization: string;
  readonly agents: number;
  readonly wakeUps: number;
}
export type AgentReport = { readonly parked: number } | { readonly wakeUpsMs: readonly number[] };

// Five hundred per second: a fleet that reconnects after an outage, not an attack.
const connectAtOnce = 25;
const pauseMs = 50;
const serialOf = (agent: number) => `bench-${agent}`;

class Agent {
  private readonly socket: Socket;
  private readonly request: string;
  private answer: (text: string) => void = () => {};

  constructor(orders: Orders, path: string, body: object) {
    const { hostname, port, host } = new URL(orders.url);
    const text = JSON.stringify(body);
    this.request =
      `POST ${path} HTTP/1.1\r\nhost: ${host}\r\nauthorization: ${orders.authorization}\r\n` +
      `content-type: application/json\r\ncontent-length: ${text.length}\r\n\r\n${text}`;
    this.socket = connect(Number(port), hostname);
    this.socket.setNoDelay(true);
    this.socket.on('error', fail);
    this.socket.on('close', () => fail(new Error('the connection was closed')));
    // Every response here is small enough to arrive in one chunk.
    this.socket.on('data', (chunk) => {
      const answered = chunk.toString('latin1');
      if (!answered.startsWith('HTTP/1.1 200')) fail(new Error(answered.slice(0, 400)));
      this.answer(answered.slice(answered.indexOf('\r\n\r\n') + 4));
    });
  }

  ask(): Promise<string> {
    return new Promise((resolve) => {
      this.answer = resolve;
      this.socket.write(this.request);
    });
  }

  /** Polls again after each empty response, as an agent does, until there is an event. */
  async wait(): Promise<void> {
    while ((await this.ask()) === '[]');
  }
}

function fail(error: Error): void {
  process.stderr.write(`an agent failed: ${error.message}\n`);
  process.exit(1);
}

const tell = (report: AgentReport) => void process.send?.(report);

async function run(orders: Orders): Promise<void> {
  const waits: Promise<void>[] = [];
  for (let agent = 0; agent < orders.agents; agent++) {
    waits.push(new Agent(orders, '/v1/event/list/longpoll', { deviceSerial: serialOf(agent) }).wait());
    if (agent % connectAtOnce === connectAtOnce - 1) await sleep(pauseMs);
  }
  tell({ parked: orders.agents });
  await new Promise((resolve) => process.once('message', resolve));
  const wakeUpsMs: number[] = [];
  for (let count = 0; count < orders.wakeUps; count++) {
    const agent = Math.floor((count * orders.agents) / orders.wakeUps);
    const sender = new Agent(orders, '/v1/event', { deviceSerial: serialOf(agent), eventType: 'Reboot' });
    const start = performance.now();
    await Promise.all([sender.ask(), waits[agent]?.then(() => wakeUpsMs.push(performance.now() - start))]);
  }
  tell({ wakeUpsMs });
}

process.once('message', (orders) => void run(orders as Orders).catch(fail));
