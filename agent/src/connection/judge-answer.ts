import { NetworkFault, NotThePlatform } from './network-fault.ts';
import { hasOlderShape, isMarked, mayBeOlder } from './recognise.ts';

/** What an address has done before. */
export interface Trust {
  /** Whether it has once marked an answer. From then on an answer without the mark is not trusted. */
  isMarking(): boolean;
  /** Kept over restarts. */
  setMarking(): Promise<void>;
  /** Whether this address has once proven to have a recording. From then on it is not believed without. */
  isProving(): boolean;
  setProving(): Promise<void>;
}

export interface Answered {
  readonly method: string;
  readonly url: URL;
}

const mostAnswerBytes = 16 * 1_048_576;
/** Of an answer of which it is not known yet whether it is the platform's. */
const mostDoubtedBytes = 4 * 1_048_576;

/**
 * Returns the answer, read to its end, if it comes from the platform; throws NotThePlatform otherwise. A new version of
 * this agent, which is checked by its hash, is left to the caller to read.
 */
export async function judgeAnswer(
  trust: Pick<Trust, 'isMarking' | 'setMarking'>,
  request: Answered,
  response: Response,
): Promise<Response> {
  const { method, url } = request;
  const isLeftToCaller = isProgram(url);
  if (isMarked(response.headers)) {
    // A full disk is no reason to refuse the answer of the platform.
    if (!trust.isMarking()) await trust.setMarking().catch(() => {});
    return isLeftToCaller ? response : withText(response, await readText(response, mostAnswerBytes));
  }
  if (!trust.isMarking() && mayBeOlder(response.headers)) {
    if (isLeftToCaller) return response;
    const text = await readText(response, mostDoubtedBytes);
    if (hasOlderShape(method, url.pathname, response, text)) return withText(response, text);
  }
  await response.body?.cancel().catch(() => {});
  throw new NotThePlatform(response.status, url.host);
}

export const isProgram = (url: URL): boolean => url.pathname.startsWith('/install/');

const hasNoBody = (status: number): boolean => [204, 205, 304].includes(status);

const withText = ({ status, headers }: Response, text: string): Response =>
  new Response(hasNoBody(status) ? null : text, { status, headers });

async function readText(response: Response, mostBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for await (const piece of (response.body ?? []) as AsyncIterable<Uint8Array>) {
    bytes += piece.length;
    if (bytes > mostBytes) throw new NetworkFault(`the answer has more than ${mostBytes} bytes`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}
