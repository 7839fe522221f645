import { randomUUID } from 'node:crypto';
import { startTestServer } from '@earshot/server/testing/server';
import * as fc from 'fast-check';
import { afterAll, beforeAll, test } from 'vitest';
import type { ModelEvent, ModelReport } from './model.ts';
import { isHeld } from './model.ts';
import { Nodes, times, World } from './model-world.ts';

let nodes: Nodes;
beforeAll(async () => {
  const server = await startTestServer({ eventTimes: times });
  nodes = new Nodes(server, (await server.admin.withKey()).credential);
  await nodes.add();
});
afterAll(() => nodes.server.stop());

/** model.long.test.ts has more. */
const runs = Number(process.env['MODEL_RUNS'] ?? 40);
/** Steps per run, on average. */
const stepsPerRun = 30;
/** Fewer runs on a busy machine: a limit, not a measurement. */
const longestMs = 1_000 * runs;
/** Starting a node takes time, so about one run in ten does it. */
const replacements = { left: Math.ceil(runs / 10) };

const choice = fc.nat({ max: 999 });
const processID = fc.integer({ min: 1, max: 2 });
const step = fc.oneof(
  {
    weight: 7,
    arbitrary: fc.record({
      do: fc.constant('enqueue' as const),
      node: choice,
      device: fc.nat({ max: 1 }),
      priority: fc.integer({ min: -1, max: 1 }),
      maxAttempts: fc.nat({ max: 3 }),
      canExpire: fc.boolean(),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('dequeue' as const),
      node: choice,
      agent: choice,
      processID,
      take: fc.option(fc.nat({ max: 4 }), { nil: undefined }),
    }),
  },
  {
    weight: 9,
    arbitrary: fc.record({
      do: fc.constant('report' as const),
      node: choice,
      event: choice,
      eventStatus: fc.constantFrom(3, 4, 5),
      result: fc.option(fc.constantFrom('a', 'b'), { nil: undefined }),
      as: fc.constantFrom('take', 'process', 'nobody', 'other take', 'other process'),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('cancel' as const), node: choice, event: choice }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('expire' as const), event: choice }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('lose lease' as const), event: choice }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('make ready' as const), event: choice }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('register' as const), node: choice, agent: choice, processID }) },
  {
    weight: 1,
    arbitrary: fc.record({
      do: fc.constant('race' as const),
      node: choice,
      through: fc.constantFrom('nothing', 'cut connections', 'node death'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('contest' as const), node: choice, event: choice }) },
);
type Step = typeof step extends fc.Arbitrary<infer Value> ? Value : never;

test(
  'the queue equals the model after any sequence of steps',
  async () => {
    const deadline = performance.now() + longestMs;
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 2 * stepsPerRun, size: 'max' }), async (steps) => {
        if (performance.now() > deadline) return;
        const world = await World.create(nodes);
        const takeIDs = Array.from({ length: 5 }, () => randomUUID());
        for (const one of steps) {
          await perform(world, one, takeIDs);
          await world.check();
        }
      }),
      { numRuns: runs },
    );
  },
  3 * longestMs,
);

async function perform(world: World, one: Step, takeIDs: readonly string[]): Promise<void> {
  const { agents, events } = world.model;
  const agent = 'agent' in one ? agents[one.agent % agents.length] : undefined;
  // Four of five steps on events choose one that has not ended.
  const alive = events.filter(({ status }) => status <= 3);
  const event = 'event' in one ? pick(one.event % 5 && alive.length > 0 ? alive : events, one.event) : undefined;
  if (one.do === 'enqueue') return world.enqueue(one.node, one);
  if (one.do === 'dequeue' && agent) return world.dequeue(one.node, agent, one.processID, takeIDs[one.take ?? -1]);
  if (one.do === 'register' && agent) return world.register(one.node, agent, one.processID);
  if (one.do === 'race') return world.race(one.node, () => disturb(one.through));
  if (!event) return;
  if (one.do === 'report') return world.report(one.node, event, reportAs(one.as, event, one));
  if (one.do === 'cancel') return world.cancel(one.node, event);
  if (one.do === 'expire') return world.expire(event);
  if (one.do === 'lose lease') return world.loseLease(event);
  if (one.do === 'make ready') return world.makeReady(event);
  if (one.do === 'contest' && isHeld(event)) return world.contest(one.node, event);
}

const pick = (from: readonly ModelEvent[], by: number): ModelEvent | undefined => from[by % from.length];

async function disturb(through: string): Promise<void> {
  if (through === 'cut connections') return nodes.cutConnections();
  if (through !== 'node death' || replacements.left === 0) return;
  replacements.left -= 1;
  return nodes.replace();
}

function reportAs(
  as: string,
  { takeID, processID: holder }: ModelEvent,
  { eventStatus, result }: { eventStatus: number; result?: string | undefined },
): ModelReport {
  const report = { eventStatus, ...(result === undefined ? {} : { result }) };
  if (as === 'take') return { ...report, ...(takeID === undefined ? {} : { takeID }) };
  if (as === 'other take') return { ...report, takeID: randomUUID() };
  if (as === 'process') return { ...report, ...(holder === undefined ? {} : { processID: holder }) };
  return as === 'other process' ? { ...report, processID: 99 } : report;
}
