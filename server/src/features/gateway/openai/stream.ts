import type { GatewayAnswer, GatewayStream } from '../../../platform/http/serve-gateway.ts';

/** Sends an event of a stream. The first one begins the response. */
export type SendEvent = (event: object) => void;

/**
 * Runs work that responds as a whole, or in a stream of events from the first event that it sends. Until then a failure
 * is a response with its status; after that, the stream fails.
 */
export function answerOrStream(
  work: (send: SendEvent) => Promise<GatewayAnswer | undefined>,
): Promise<GatewayAnswer | GatewayStream> {
  return new Promise((resolve, reject) => {
    const queue: string[] = [];
    let failure: { readonly error: unknown } | undefined;
    let [hasBegun, isOver] = [false, false];
    let wake = () => {};

    async function* readEvents(): AsyncGenerator<string> {
      for (;;) {
        if (queue.length > 0) yield queue.splice(0).join('');
        else if (isOver) break;
        else await new Promise<void>((next) => (wake = next));
      }
      if (failure) throw failure.error;
    }
    const send: SendEvent = (event) => {
      queue.push(`data: ${JSON.stringify(event)}\n\n`);
      if (!hasBegun) resolve({ events: readEvents() });
      hasBegun = true;
      wake();
    };
    const run = async (): Promise<void> => {
      try {
        const answer = await work(send);
        if (answer) resolve(answer);
      } catch (error) {
        failure = { error };
        if (!hasBegun) reject(error);
      }
      isOver = true;
      wake();
    };
    void run();
  });
}
