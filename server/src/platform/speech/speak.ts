import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { builtScript } from '../built-script.ts';
import { Child } from '../media/child.ts';
import { MediaError } from '../media/media-error.ts';

export type Voice = 'kal16' | 'awb' | 'rms' | 'slt';

/** Speaks one sentence after the other, in one process: starting it takes longer than a sentence. */
export interface Speaker {
  /** The result is a WAV of 16 kHz. */
  speak(voice: Voice, text: string): Promise<Buffer>;
  /** Ends the process. */
  close(): Promise<void>;
}

const script = builtScript('speaker.js');

/** Each request is a line of JSON; each response is the number of its bytes in four bytes, and then the WAV. */
export function openSpeaker(): Speaker {
  const child = new Child({ program: execPath, args: [script], input: 'pipe', cwd: dirname(script) });
  const chunks = child.output();
  let received = Buffer.alloc(0);
  const take = async (length: number): Promise<Buffer> => {
    while (received.length < length) {
      const { done, value } = await chunks.next();
      if (done === true) throw new MediaError('failed', 'The speech program exited early');
      received = Buffer.concat([received, value]);
    }
    const taken = received.subarray(0, length);
    received = received.subarray(length);
    return taken;
  };
  return {
    async speak(voice, text) {
      await child.write(Buffer.from(`${JSON.stringify({ voice, text })}\n`));
      return take((await take(4)).readUInt32LE());
    },
    close: () => child.kill(),
  };
}
