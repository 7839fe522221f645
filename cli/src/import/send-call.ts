import { uploadRdioCall } from '@earshot/contract/gateway';
import { wait } from '@earshot/client/retry';
import type { Connection } from '../command.ts';
import { exitCodes, Failure } from '../failure.ts';
import type { ArchivedCall } from './rdio-archive.ts';

export type SentCall = 'stored' | 'duplicate' | { readonly reason: string };

const mostRetries = 6;
/** Longer waits are left to the person, who continues the import later. */
const longestWaitSeconds = 120;

/** Sends a call as rdio-scanner itself does. The server refuses a call that it has, so a call may be sent again. */
export async function sendCall(
  { clientOptions, url }: Connection,
  uploadKey: string,
  { audio, audioName, audioType, fields }: ArchivedCall,
  signal: AbortSignal,
): Promise<SentCall> {
  for (let attempt = 0; ; attempt += 1) {
    const form = new FormData();
    form.set('key', uploadKey);
    for (const [name, value] of Object.entries(fields)) form.set(name, value);
    form.set('audio', new Blob([audio], { type: audioType }), audioName);
    let waitSeconds = 2 ** attempt;
    try {
      const response = await (clientOptions.fetch ?? fetch)(new URL(uploadRdioCall.path, url), {
        method: 'POST',
        body: form,
        signal,
      });
      const text = (await response.text()).trim();
      if (response.ok) return text.startsWith('duplicate') ? 'duplicate' : 'stored';
      if (response.status === 413 || response.status === 417) return { reason: text };
      if (response.status === 401) throw wrongKey();
      if ([403, 404, 405].includes(response.status))
        throw new Failure(`${url} does not take radio calls: it answers ${response.status} ${text.slice(0, 200)}`);
      // The next call may be accepted, and the next run tries this one again.
      if (![429, 502, 503, 504].includes(response.status))
        return { reason: `The server refused it: ${response.status} ${text.slice(0, 200)}` };
      waitSeconds = Math.max(waitSeconds, Number(response.headers.get('retry-after') ?? 0));
      if (waitSeconds > longestWaitSeconds) {
        throw new Failure(
          `The server accepts more in ${Math.ceil(waitSeconds / 60)} minutes: ${text} Run the command again then: it continues.`,
          exitCodes.partial,
        );
      }
    } catch (error) {
      if (signal.aborted || !(error instanceof TypeError) || attempt >= mostRetries) throw error;
    }
    if (attempt >= mostRetries)
      throw new Failure('The server is busy. Run the command again later: it continues.', exitCodes.partial);
    await wait(waitSeconds * 1_000, signal);
    signal.throwIfAborted();
  }
}

const wrongKey = (): Failure =>
  new Failure(
    'The upload key is wrong or was deleted. Set EARSHOT_UPLOAD_KEY to the secret of an upload key, or sign in and leave it out.',
    exitCodes.notAllowed,
  );
