import type { InferenceSession } from 'onnxruntime-node';

/** Many clips share the machine with the server: one core each, and no threads that spin while they wait. */
export const onOneCore: InferenceSession.SessionOptions = {
  executionProviders: ['cpu'],
  intraOpNumThreads: 1,
  interOpNumThreads: 1,
  graphOptimizationLevel: 'all',
  logSeverityLevel: 3,
};
