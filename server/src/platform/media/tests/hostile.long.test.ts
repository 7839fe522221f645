import { env } from 'node:process';

// Every format is damaged for both engines.
env['HOSTILE_FORMATS'] = 'every';
await import('./hostile.test.ts');
