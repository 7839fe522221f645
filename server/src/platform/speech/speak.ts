import { dirname } from 'node:path';
import { execPath } from 'node:process';
import { buffer } from 'node:stream/consumers';
import { builtScript } from '../built-script.ts';
import { Child } from '../media/child.ts';

export type Voice = 'kal16' | 'awb' | 'rms' | 'slt';

const script = builtScript('speaker.js');

/** Speaks a sentence; the result is a WAV of 16 kHz. */
export async function speak(voice: Voice, text: string, signal?: AbortSignal): Promise<Buffer> {
  const child = new Child({ program: execPath, args: [script, voice, text], cwd: dirname(script), signal });
  return buffer(child.output());
}
