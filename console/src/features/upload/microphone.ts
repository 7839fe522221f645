/** A recording in progress. */
export interface Take {
  readonly startMs: number;
  /** The loudness at present, 0 to 1. */
  level(): number;
  /** Ends the recording and returns its sound. */
  stop(): Promise<Blob>;
  /** Ends the recording without a result. */
  discard(): void;
}

/** Containers in order of preference: the first that the browser can write. */
const types = ['audio/webm;codecs=opus', 'audio/ogg;codecs=opus', 'audio/mp4'];

/** Browsers give a microphone only to pages of this computer or with HTTPS. */
export const canRecord = (): boolean => isSecureContext && 'mediaDevices' in navigator && 'MediaRecorder' in window;

export async function startTake(): Promise<Take> {
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
  const mimeType = types.find((type) => MediaRecorder.isTypeSupported(type));
  const recorder = new MediaRecorder(stream, mimeType === undefined ? {} : { mimeType });
  const chunks: Blob[] = [];
  recorder.addEventListener('dataavailable', ({ data }) => chunks.push(data));
  const context = new AudioContext();
  const analyser = context.createAnalyser();
  context.createMediaStreamSource(stream).connect(analyser);
  const samples = new Float32Array(analyser.fftSize);
  const release = () => {
    for (const track of stream.getTracks()) track.stop();
    void context.close();
  };
  const startMs = Date.now();
  recorder.start(1_000);
  return {
    startMs,
    level() {
      analyser.getFloatTimeDomainData(samples);
      return Math.min(1, 4 * Math.sqrt(samples.reduce((sum, sample) => sum + sample * sample, 0) / samples.length));
    },
    stop: () =>
      new Promise((resolve) => {
        recorder.addEventListener('stop', () => {
          release();
          resolve(new Blob(chunks, { type: recorder.mimeType.split(';')[0] ?? '' }));
        });
        recorder.stop();
      }),
    discard() {
      recorder.stop();
      release();
    },
  };
}

/** Why the microphone cannot be used, and what to do. */
export function microphoneProblem(error: unknown): string {
  const name = error instanceof DOMException ? error.name : '';
  if (name === 'NotAllowedError')
    return 'The browser may not use the microphone. Allow it in the address bar, then retry.';
  if (name === 'NotFoundError') return 'No microphone was found. Connect one, then retry.';
  if (name === 'NotReadableError') return 'The microphone is used by another program. Close it, then retry.';
  return 'The microphone could not be started. Retry.';
}
