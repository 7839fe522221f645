import type { Recogniser } from '../embedded/recogniser.ts';
import type { LoadedRecogniser } from '../whisper/recogniser.ts';
import { loadWhisperRecogniser } from '../whisper/recogniser.ts';

/** The model takes a gigabyte. Loading it again takes seconds. */
const usualIdleMs = 300_000;

/** The recogniser for speech that the usual one is unsure about; undefined if the clip may not use it. */
export type OpenThird = (folder: string | undefined) => Pick<Recogniser, 'recognise'> | undefined;

/** Loads the model when speech needs it, and releases it when it was not used for a while. */
export function createThirdListen(
  load: (folder: string) => Promise<LoadedRecogniser> = loadWhisperRecogniser,
  idleMs = usualIdleMs,
): OpenThird {
  let loaded: Promise<LoadedRecogniser> | undefined;
  let timer: NodeJS.Timeout | undefined;
  const release = () => {
    void loaded?.then((recogniser) => recogniser.release()).catch(() => {});
    loaded = undefined;
  };
  const open = (folder: string) =>
    (loaded ??= load(folder).catch((error: unknown) => {
      loaded = undefined;
      throw error;
    }));
  // A process analyses one clip at a time, and its stretches one after the other.
  const recogniseWith = async (folder: string, speech: Parameters<Recogniser['recognise']>) => {
    clearTimeout(timer);
    try {
      return await (await open(folder)).recognise(...speech);
    } finally {
      timer = setTimeout(release, idleMs).unref();
    }
  };
  return (folder) => (folder === undefined ? undefined : { recognise: (...speech) => recogniseWith(folder, speech) });
}
