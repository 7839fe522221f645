export interface SendOutcome<Item> {
  readonly item: Item;
  /** Undefined if it was sent. */
  readonly error: unknown;
}

interface SendOptions<Item> {
  readonly send: (item: Item) => Promise<unknown>;
  /** Seconds to wait before the same item is sent again, or 0 if the error is final. */
  readonly waitSeconds: (error: unknown) => number;
  readonly onProgress?: (outcomes: readonly SendOutcome<Item>[]) => void;
  readonly sleep?: (ms: number) => Promise<void>;
  /** After it, no further item is begun: those have no outcome. */
  readonly signal?: AbortSignal;
}

const atOnce = 4;
const mostAttempts = 5;
const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends items one by one, a few at a time. A failure does not stop the others. */
export async function sendEach<Item>(
  items: readonly Item[],
  { send, waitSeconds, onProgress, sleep = wait, signal }: SendOptions<Item>,
): Promise<readonly SendOutcome<Item>[]> {
  const outcomes: SendOutcome<Item>[] = [];
  const waiting = [...items];
  const sendOne = async (item: Item): Promise<SendOutcome<Item>> => {
    for (let attempt = 1; ; attempt += 1) {
      try {
        await send(item);
        return { item, error: undefined };
      } catch (error) {
        const seconds = waitSeconds(error);
        if (seconds === 0 || attempt === mostAttempts || signal?.aborted) return { item, error };
        await sleep(seconds * 1_000);
      }
    }
  };
  const next = (): Item | undefined => (signal?.aborted ? undefined : waiting.shift());
  const work = async () => {
    for (let item = next(); item !== undefined; item = next()) {
      outcomes.push(await sendOne(item));
      onProgress?.(outcomes);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return outcomes;
}
