import { env } from 'node:process';

// Every format, with gaps filled and closed.
env['JOIN_GAPS'] = 'both';
await import('./join-copy.test.ts');
