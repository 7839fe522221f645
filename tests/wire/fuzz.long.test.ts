import { env } from 'node:process';

// More requests than `npm test` sends, from the same generator.
env['FUZZ_RUNS'] ??= '150';
await import('./fuzz.test.ts');
