import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Client } from '@earshot/client/client';
import { createClient } from '@earshot/client/client';
import type { Credential } from '@earshot/client/credential';
import type { Event } from '@earshot/contract/event';
import { endLeases, expire } from '@earshot/server/features/event/transition/queries';
import type { EarshotNode } from '@earshot/server/node';
import type { TestServer } from '@earshot/server/testing/server';
import { expect } from 'vitest';
import type { Device } from './fleet.ts';
import { addDevice, takeHeader } from './fleet.ts';
import type { ModelAgent, ModelEvent, ModelReport, NewModelEvent } from './model.ts';
import { isEnded, isHeld, Model, refused } from './model.ts';
import { readStored } from './model-stored.ts';

/** So long that nothing expires by itself: time passes only when a step moves the dates. */
export const times = { leaseSeconds: 80_000, retrySeconds: 600 };
const farEpoch = 4_000_000_000;

/** One server with several nodes, for all runs. */
export class Nodes {
  readonly server: TestServer;
  private readonly credential: Credential;
  private readonly nodes: EarshotNode[] = [];
  private clients: Client[] = [];

  constructor(server: TestServer, credential: Credential) {
    this.server = server;
    this.credential = credential;
  }

  client(choice: number): Client {
    const client = this.clients[choice % this.clients.length];
    if (!client) throw new Error('there are no nodes');
    return client;
  }

  async add(): Promise<void> {
    this.nodes.push(await this.server.addNode());
    this.useNodes();
  }

  /** Stops the oldest added node during other work, and starts another. */
  async replace(): Promise<void> {
    await this.nodes.shift()?.stop();
    await this.add();
  }

  /** Cuts every connection of every node to the database, as a crash of the database does. */
  async cutConnections(): Promise<void> {
    await this.server.db`
      select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and application_name = 'earshot'`;
    // A pool may notice it only on the next use of a connection; steps that cannot be repeated should not use a dead
    // one.
    const looks = this.clients.flatMap((client) =>
      Array.from({ length: 5 }, () => untilAnswered(() => client.listEvents({ body: { count: 1 } }))),
    );
    await Promise.all(looks);
  }

  private useNodes(): void {
    const urls = [this.server.url, ...this.nodes.map(({ url }) => url)];
    this.clients = urls.map((url) => createClient({ url, credential: this.credential }));
  }
}

/** One run: its own devices, their model, and the same steps on both. */
export class World {
  readonly model: Model;
  private readonly nodes: Nodes;
  private readonly devices: readonly Device[];
  private readonly ended = new Map<number, string>();

  private constructor(nodes: Nodes, devices: readonly Device[]) {
    this.nodes = nodes;
    this.devices = devices;
    this.model = new Model(
      devices.flatMap((_, device) => [0, 1].map((index) => ({ device, index, processID: undefined }))),
    );
  }

  static async create(nodes: Nodes): Promise<World> {
    return new World(nodes, [await addDevice(nodes.client(0)), await addDevice(nodes.client(0))]);
  }

  async enqueue(node: number, given: Omit<NewModelEvent, 'key'>): Promise<void> {
    const { deviceID } = this.device(given.device);
    const expirationEpoch = given.canExpire ? farEpoch : 0;
    const body = {
      deviceID,
      eventType: 'Reboot',
      priority: given.priority,
      maxAttempts: given.maxAttempts,
      expirationEpoch,
    };
    const event = await this.nodes.client(node).createEvent({ body });
    this.model.enqueue({ ...given, maxAttempts: given.maxAttempts || 1, key: event.key ?? 0 });
  }

  async dequeue(node: number, agent: ModelAgent, processID: number, takeID: string | undefined): Promise<void> {
    const expected = this.model.dequeue(agent, processID, takeID);
    const answer = await orRefused(this.sendDequeue(node, agent, processID, takeID));
    expect(keyOf(answer)).toBe(keyOf(expected));
  }

  /** Several agents take concurrently, with their own take ids, during a disturbance; without a response they retry. */
  async race(node: number, disturb: () => Promise<void>): Promise<void> {
    const asking = this.model.agents.map((agent, index) => ({
      agent,
      processID: 1,
      takeID: randomUUID(),
      node: node + index,
    }));
    const takes = asking.map((taker) =>
      untilAnswered(() => this.sendDequeue(taker.node, taker.agent, taker.processID, taker.takeID)),
    );
    // Wait for all of it before comparing, so that nothing continues during the next run.
    await Promise.allSettled([disturb(), ...takes]);
    const taken = await Promise.all(takes);
    for (const device of this.devices.keys()) {
      const due = this.model.due(device);
      const got = taken
        .filter((_, index) => asking[index]?.agent.device === device)
        .filter((event) => event !== undefined);
      expect(new Set(got.map(({ key }) => key))).toEqual(new Set(due.slice(0, 2).map(({ key }) => key)));
    }
    const byTake = await this.takenDates();
    for (const { agent, processID, takeID } of asking.toSorted(
      (a, b) => order(byTake, a.takeID) - order(byTake, b.takeID),
    )) {
      const key = byTake.find((row) => row.takeID === takeID)?.key;
      const event = this.model.events.find((one) => one.key === key);
      if (event) this.model.take(event, agent, processID, takeID);
      else agent.processID = processID;
    }
  }

  /** The holder completes an event while it is cancelled and its lease ends: exactly one of these succeeds. */
  async contest(node: number, event: ModelEvent): Promise<void> {
    const params = { eventID: event.key };
    await this.nodes.server
      .db`update events set lease_end_date = now() - interval '1 s' where key = ${event.key} and event_status in (2, 3)`;
    const [completed, cancelled] = await Promise.all([
      orRefused(
        this.nodes.client(node).reportEvent({ params, headers: takeHeader(event.takeID), body: { eventStatus: 4 } }),
      ),
      orRefused(this.nodes.client(node + 1).cancelEvent({ params })),
      endLeases(this.nodes.server.db, times, 500),
    ]);
    const outcome = (await readStored(this.nodes.server.db, this.deviceIDs)).events.find(
      ({ key }) => key === event.key,
    );
    const causes = outcome?.history.slice(event.history.length).map(([, , cause]) => cause) ?? [];
    expect(causes.includes('completed')).toBe(completed !== refused);
    expect(causes.includes('cancelled')).toBe(cancelled !== refused);
    for (const cause of causes) {
      if (cause === 'completed') this.model.report(event, { eventStatus: 4 });
      else if (cause === 'cancelled') this.model.cancel(event);
      else if (cause === 'lease lost') this.model.loseLease(event);
    }
  }

  async report(node: number, event: ModelEvent, report: ModelReport): Promise<void> {
    const expected = this.model.report(event, report);
    const { takeID, ...body } = report;
    const call = { params: { eventID: event.key }, headers: takeHeader(takeID), body };
    const answer = await orRefused(this.nodes.client(node).reportEvent(call));
    expect(answer === refused ? refused : undefined).toBe(expected);
  }

  async cancel(node: number, event: ModelEvent): Promise<void> {
    const expected = this.model.cancel(event);
    expect(await orRefused(this.nodes.client(node).cancelEvent({ params: { eventID: event.key } }))).toBe(expected);
  }

  async expire(event: ModelEvent): Promise<void> {
    this.model.expire(event);
    const { db } = this.nodes.server;
    await db`update events set expiration_epoch = 1 where key = ${event.key} and expiration_epoch > 0 and event_status in (1, 2, 3)`;
    await this.untilMoved(() => expire(db, 500));
  }

  async loseLease(event: ModelEvent): Promise<void> {
    this.model.loseLease(event);
    const { db } = this.nodes.server;
    await db`update events set lease_end_date = now() - interval '1 s' where key = ${event.key} and event_status in (2, 3)`;
    await this.untilMoved(() => endLeases(db, times, 500));
  }

  /** If the sweep of a node has locked the event, that sweep moves it. */
  private async untilMoved(sweep: () => Promise<unknown>): Promise<void> {
    for (;;) {
      await sweep();
      const [left] = await this.nodes.server.db`
        select 1 from events where device_id = any(${this.deviceIDs}::bigint[]) and (
          (event_status in (2, 3) and lease_end_date < now()) or (event_status in (1, 2, 3) and expiration_epoch = 1))`;
      if (!left) return;
      await sleep(20);
    }
  }

  async makeReady(event: ModelEvent): Promise<void> {
    event.isReady = true;
    await this.nodes.server.db`update events set ready_date = now() where key = ${event.key} and event_status = 1`;
  }

  async register(node: number, agent: ModelAgent, processID: number): Promise<void> {
    this.model.register(agent, processID);
    const { deviceSerial } = this.device(agent.device);
    const body = { deviceSerial, agentType: 'Device', agentIndex: agent.index, processID };
    const { currentEventID } = await this.nodes.client(node).registerAgent({ body });
    expect(currentEventID).toBe(this.model.currentEvent(agent)?.key);
  }

  /** The stored rows equal the model, and ended events have not changed. */
  async check(): Promise<void> {
    const stored = await readStored(this.nodes.server.db, this.deviceIDs);
    expect(stored.events.map(({ key }) => key)).toEqual(this.model.events.map(({ key }) => key));
    for (const [index, event] of this.model.events.entries()) {
      const row = stored.events[index];
      const agentID = event.agent && stored.agentID(this.device(event.agent.device).deviceID, event.agent.index);
      const { status, attempts, processID, takeID, result, history } = event;
      expect(row).toMatchObject({ status, attempts, processID, takeID, result, agentID, history });
      expect(row?.hasLease).toBe(isHeld(event));
      expect(attempts).toBeLessThanOrEqual(event.maxAttempts);
      if (isEnded(event)) expect(row?.whole).toBe(this.ended.get(event.key) ?? row?.whole);
      if (isEnded(event)) this.ended.set(event.key, row?.whole ?? '');
    }
    for (const agent of this.model.agents) {
      const current = stored.currentEventID(this.device(agent.device).deviceID, agent.index);
      expect(current).toBe(this.model.currentEvent(agent)?.key);
    }
  }

  private get deviceIDs(): number[] {
    return this.devices.map(({ deviceID }) => deviceID);
  }

  private device(index: number): Device {
    const device = this.devices[index];
    if (!device) throw new Error(`there is no device ${index}`);
    return device;
  }

  private sendDequeue(node: number, { device, index }: ModelAgent, processID: number, takeID: string | undefined) {
    const body = { deviceSerial: this.device(device).deviceSerial, agentType: 'Device', agentIndex: index, processID };
    return this.nodes.client(node).dequeueEvent({ body, headers: takeHeader(takeID) }) as Promise<Event | undefined>;
  }

  private takenDates() {
    return this.nodes.server.db<{ key: number; takeID: string; order: number }[]>`
      select key, take_id as "takeID", row_number() over (order by taken_date, key) as order
      from events where device_id = any(${this.deviceIDs}::bigint[]) and take_id is not null`;
  }
}

const order = (rows: readonly { takeID: string; order: number }[], takeID: string): number =>
  rows.find((row) => row.takeID === takeID)?.order ?? 0;

const keyOf = (answer: { key?: number } | typeof refused | undefined): number | typeof refused | undefined =>
  answer === refused ? refused : answer?.key;

async function orRefused<Answer>(call: Promise<Answer>): Promise<Answer | typeof refused> {
  try {
    return await call;
  } catch (error) {
    if ((error as { status?: number }).status === 409) return refused;
    throw error;
  }
}

/** Retries like a client on a bad network: without a response, and on 503. Returns any other response. */
async function untilAnswered<Answer>(call: () => Promise<Answer>): Promise<Answer> {
  for (let patience = 500; ; patience--) {
    try {
      return await call();
    } catch (error) {
      const { status = 503 } = error as { status?: number };
      if (status !== 503 || patience === 0) throw error;
      await sleep(20);
    }
  }
}
