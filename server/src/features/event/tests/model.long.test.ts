import { env } from 'node:process';

// More sequences of steps than `npm test` has, from the same generator.
env['MODEL_RUNS'] ??= '600';
await import('./model.test.ts');
