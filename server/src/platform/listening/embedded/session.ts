import type { InferenceSession } from 'onnxruntime-node';

/** Several clips and the server share the machine: one core for each session, and no busy-waiting threads. */
export const onOneCore: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
};
