import { render } from 'preact';
import { App } from './app/app.tsx';
import { sendHeldWhenLeaving } from './app/held.ts';
import { followLinks } from './app/router.ts';

followLinks();
sendHeldWhenLeaving();
render(<App />, document.querySelector('#app')!);
