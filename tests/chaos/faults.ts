import { setTimeout as sleep } from 'node:timers/promises';
import type { Device } from '../process/journey-devices.ts';
import { killAgent } from '../process/journey-devices.ts';
import type { Random } from './random.ts';
import type { Program, Stage } from './stage.ts';

/** Something that breaks and is whole again when the promise resolves. */
export interface Fault {
  readonly name: string;
  readonly run: () => Promise<void>;
}

export interface FaultParts {
  readonly stage: Stage;
  readonly random: Random;
}

/** Of the database and the store, which all nodes share: one at a time. */
export function sharedFaults({ stage, random }: FaultParts): Fault[] {
  const { pair, store } = stage;
  const seconds = (least: number, most: number) => sleep(1_000 * random.between(least, most));
  const after = async (change: () => Promise<void>) => {
    const former = pair.network();
    await change();
    await pair.restoreStandby();
    former.set('open');
  };
  const storeFault = (state: Parameters<typeof store.set>[0]): Fault => ({
    name: `the store is in the state ${state}`,
    async run() {
      store.set(state);
      await seconds(4, 15);
      store.set('open');
    },
  });
  const networkFault = (state: 'silent' | 'slow' | 'refused'): Fault => ({
    name: `the network of the primary is in the state ${state}`,
    async run() {
      const network = pair.network();
      network.set(state);
      await seconds(3, 12);
      network.set('open');
    },
  });
  return [
    networkFault('silent'),
    networkFault('slow'),
    networkFault('refused'),
    storeFault('errors'),
    storeFault('cut'),
    storeFault('silent'),
    storeFault('slow'),
    { name: 'the primary changes its place with the standby', run: () => after(() => pair.switchOver()) },
    { name: 'the primary dies, and the standby is promoted', run: () => after(() => pair.failOver()) },
    {
      name: 'the host of the primary is silent, and the standby is promoted',
      run: () =>
        after(async () => {
          pair.network().set('silent');
          await seconds(1, 6);
          await pair.failOver();
        }),
    },
    { name: 'the primary crashes and starts again', run: () => pair.crash() },
    {
      name: 'the primary is frozen',
      async run() {
        await pair.freeze();
        await seconds(2, 12);
        await pair.thaw();
      },
    },
    {
      name: 'the primary is frozen, and the standby is promoted',
      run: () =>
        after(async () => {
          await pair.freeze();
          await seconds(1, 6);
          await pair.failOver();
        }),
    },
  ];
}

/** Of nodes, workers, agents and their network. */
export function singleFaults({ stage, agents, random }: FaultParts & { readonly agents: readonly Device[] }): Fault[] {
  const seconds = (least: number, most: number) => sleep(1_000 * random.between(least, most));
  const ofProgram = (program: Program): Fault[] => [
    { name: `${program.name} is killed`, run: () => program.crash() },
    {
      name: `${program.name} is frozen`,
      async run() {
        program.signal('SIGSTOP');
        await seconds(2, 10);
        program.signal('SIGCONT');
      },
    },
    ...clockFaults(program),
    ...diskFaults(program),
  ];
  const clockFaults = ({ name, setClock }: Program): Fault[] =>
    setClock
      ? [
          {
            name: `the clock of ${name} jumps`,
            async run() {
              await setClock(random.between(-45, 45));
              await seconds(3, 8);
              await setClock(0);
            },
          },
        ]
      : [];
  const diskFaults = ({ name, disk }: Program): Fault[] =>
    disk()
      ? [
          {
            name: `the disk of ${name} is full`,
            async run() {
              await disk()?.fill();
              await seconds(3, 10);
              await disk()?.empty();
            },
          },
        ]
      : [];
  const fieldFault = (state: 'silent' | 'slow' | 'refused'): Fault => ({
    name: `the network of the agents is in the state ${state}`,
    async run() {
      stage.field.set(state);
      await seconds(3, 12);
      stage.field.set('open');
    },
  });
  return [
    ...[...stage.nodes, ...stage.workers].flatMap(ofProgram),
    ...agents.map((agent): Fault => ({ name: `the agent ${agent.serial} is killed`, run: () => killAgent(agent) })),
    fieldFault('silent'),
    fieldFault('refused'),
    fieldFault('slow'),
  ];
}

/** Runs faults one after the other, all of them before any comes again, until the signal aborts. */
export async function runFaults(
  faults: readonly Fault[],
  random: Random,
  signal: AbortSignal,
  onFault: (name: string) => void,
): Promise<number> {
  let count = 0;
  while (!signal.aborted) {
    for (const { name, run } of random.shuffle(faults)) {
      if (signal.aborted) break;
      onFault(name);
      await run();
      count += 1;
      await sleep(random.between(500, 4_000));
    }
  }
  return count;
}
