import type { PcmRequest } from './engine.ts';
import type { SoundFile, SoundShape } from './sound.ts';

/** The task of the decoding process, as JSON in its only argument. */
export type JsTask =
  | { readonly kind: 'inspect' | 'measure'; readonly file: SoundFile }
  | {
      readonly kind: 'decode';
      readonly file: SoundFile;
      readonly request: Omit<PcmRequest, 'signal' | 'limits' | 'tap'>;
      /** Also write the samples as they are in the file to descriptor 3, with this many channels. */
      readonly tapChannels?: number | undefined;
    };

/** The response to `inspect` (where the seconds have no meaning) and `measure`. */
export interface JsAnswer {
  readonly shape: SoundShape;
  readonly seconds: number;
}
