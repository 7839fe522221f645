import type { PcmRequest } from './engine.ts';
import type { SoundFile, SoundShape } from './sound.ts';

/** What the decoding process is told, as JSON in its only argument. */
export type JsTask =
  | { readonly kind: 'inspect' | 'measure'; readonly file: SoundFile }
  | { readonly kind: 'decode'; readonly file: SoundFile; readonly request: Omit<PcmRequest, 'signal' | 'limits'> };

/** What it answers to `inspect` (whose seconds say nothing) and `measure`. */
export interface JsAnswer {
  readonly shape: SoundShape;
  readonly seconds: number;
}
