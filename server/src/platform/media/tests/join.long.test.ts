import { env } from 'node:process';

// More clips than `npm test` joins: each format with each rate.
env['JOIN_CLIPS'] ??= '60';
await import('./join.test.ts');
