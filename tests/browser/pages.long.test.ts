import { env } from 'node:process';

// Every page in both themes and both sizes.
env['PAGE_LOOKS'] = 'every';
await import('./pages.test.ts');
