import { render } from 'preact';
import { sendDeferredOnUnload } from './lib/deferred.ts';
import { App } from './shell/app.tsx';
import { attachLinkHandler } from './shell/links.ts';

attachLinkHandler();
sendDeferredOnUnload();
render(<App />, document.querySelector('#app')!);
