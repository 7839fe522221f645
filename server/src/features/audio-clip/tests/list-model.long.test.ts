import { env } from 'node:process';

// More clips and queries than `npm test` has, from the same generator.
env['LIST_RUNS'] ??= '30';
await import('./list-model.test.ts');
