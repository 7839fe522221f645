import { env } from 'node:process';

// Files with every fault are joined.
env['JOINED_FAULTS'] = 'every';
await import('./wrong-sizes.test.ts');
