/*
 * The reference model: the contract's rules about events, in memory and sequential, without SQL and nodes. The real
 * queue must equal it after every step.
 */

export interface ModelAgent {
  readonly device: number;
  readonly index: number;
  processID: number | undefined;
}

export interface ModelEvent {
  readonly key: number;
  readonly device: number;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly canExpire: boolean;
  status: number;
  attempts: number;
  isReady: boolean;
  agent: ModelAgent | undefined;
  processID: number | undefined;
  takeID: string | undefined;
  /** The order of takes decides which event is an agent's current one. */
  takenAt: number;
  result: string | undefined;
  readonly history: [from: number | undefined, to: number, cause: string, attempt: number][];
}

export interface NewModelEvent {
  readonly key: number;
  readonly device: number;
  readonly priority: number;
  readonly maxAttempts: number;
  readonly canExpire: boolean;
}

export interface ModelReport {
  readonly takeID?: string;
  readonly processID?: number;
  readonly eventStatus: number;
  readonly result?: string;
}

/** All valid transitions. */
export const legalMoves: Readonly<Record<string, readonly [from: number, to: number][]>> = {
  taken: [[1, 2]],
  reported: [[2, 3]],
  completed: [
    [2, 4],
    [3, 4],
  ],
  failed: [
    [2, 1],
    [3, 1],
    [2, 5],
    [3, 5],
  ],
  'lease lost': [
    [2, 1],
    [3, 1],
    [2, 6],
    [3, 6],
  ],
  'process replaced': [
    [2, 1],
    [3, 1],
    [2, 6],
    [3, 6],
  ],
  cancelled: [
    [1, 7],
    [2, 7],
    [3, 7],
  ],
  expired: [
    [1, 6],
    [2, 6],
    [3, 6],
  ],
};

export const refused = 'refused';

export class Model {
  readonly agents: readonly ModelAgent[];
  readonly events: ModelEvent[] = [];
  private takes = 0;

  constructor(agents: readonly ModelAgent[]) {
    this.agents = agents;
  }

  enqueue(given: NewModelEvent): void {
    this.events.push({
      ...given,
      status: 1,
      attempts: 0,
      isReady: true,
      agent: undefined,
      processID: undefined,
      takeID: undefined,
      takenAt: 0,
      result: undefined,
      history: [[undefined, 1, 'enqueued', 0]],
    });
  }

  /** The events of a device that can be taken, in order. */
  due(device: number): ModelEvent[] {
    return this.events
      .filter((event) => event.device === device && event.status === 1 && event.isReady)
      .toSorted((a, b) => b.priority - a.priority || a.key - b.key);
  }

  dequeue(agent: ModelAgent, processID: number, takeID: string | undefined): ModelEvent | typeof refused | undefined {
    const former = takeID && this.events.find((event) => event.device === agent.device && event.takeID === takeID);
    if (former && (former.agent ?? agent) !== agent) return refused;
    agent.processID = processID;
    if (former && former.status !== 1) return former;
    const next = former ? (former.isReady ? former : undefined) : this.due(agent.device)[0];
    if (next) this.take(next, agent, processID, takeID);
    return next;
  }

  take(event: ModelEvent, agent: ModelAgent, processID: number, takeID: string | undefined): void {
    agent.processID = processID;
    event.attempts += 1;
    Object.assign(event, { agent, processID, takeID, takenAt: ++this.takes, result: undefined });
    this.move(event, 2, 'taken');
  }

  report(event: ModelEvent, { takeID, processID, eventStatus, result }: ModelReport): typeof refused | undefined {
    if (takeID !== undefined && takeID !== event.takeID) return refused;
    if (takeID === undefined && processID !== undefined && (event.processID ?? processID) !== processID) return refused;
    if (isEnded(event)) {
      return event.status === eventStatus && (result === undefined || result === event.result) ? undefined : refused;
    }
    if (event.status === 1) return eventStatus === 5 && takeID !== undefined ? undefined : refused;
    event.result = result ?? event.result;
    if (eventStatus === 4) this.move(event, 4, 'completed');
    else if (eventStatus === 5) this.release(event, 5, 'failed', false);
    else if (event.status === 2) this.move(event, 3, 'reported');
    return undefined;
  }

  cancel(event: ModelEvent): typeof refused | undefined {
    if (isEnded(event)) return refused;
    this.move(event, 7, 'cancelled');
    return undefined;
  }

  expire(event: ModelEvent): void {
    if (!isEnded(event) && event.canExpire) this.move(event, 6, 'expired');
  }

  loseLease(event: ModelEvent): void {
    if (isHeld(event)) this.release(event, 6, 'lease lost', false);
  }

  register(agent: ModelAgent, processID: number): void {
    for (const event of this.events) {
      const holder = event.processID ?? agent.processID;
      if (isHeld(event) && event.agent === agent && holder !== undefined && holder !== processID) {
        this.release(event, 6, 'process replaced', true);
      }
    }
    agent.processID = processID;
  }

  /** The last taken event that has not ended. */
  currentEvent(agent: ModelAgent): ModelEvent | undefined {
    return this.events
      .filter((event) => isHeld(event) && event.agent === agent)
      .toSorted((a, b) => b.takenAt - a.takenAt)[0];
  }

  private release(event: ModelEvent, final: 5 | 6, cause: string, isReady: boolean): void {
    const hasAttemptsLeft = event.attempts < event.maxAttempts;
    if (hasAttemptsLeft) Object.assign(event, { agent: undefined, processID: undefined, isReady });
    this.move(event, hasAttemptsLeft ? 1 : final, cause);
  }

  private move(event: ModelEvent, to: number, cause: string): void {
    event.history.push([event.status, to, cause, event.attempts]);
    event.status = to;
  }
}

export const isHeld = ({ status }: { status: number }): boolean => status === 2 || status === 3;
export const isEnded = ({ status }: { status: number }): boolean => status >= 4;
