import { env } from 'node:process';

// The other two pairs of theme and size.
env['PAGE_LOOKS'] = 'other';
await import('./pages.test.ts');
