import type { Recogniser } from '../embedded/recogniser.ts';
export async function loadWhisperRecogniser(_folder: string): Promise<Recogniser> {
  throw new Error('not yet');
}
