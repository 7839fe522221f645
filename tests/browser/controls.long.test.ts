import { env } from 'node:process';

// Every control, pressed by each kind of member.
env['PRESS_AS'] = 'every';
await import('./controls.test.ts');
