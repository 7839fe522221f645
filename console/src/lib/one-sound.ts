/** Only one sound plays at a time: when another begins, in this tab or another of the browser, `stop` is called. */
export class OneSound {
  private readonly tabs = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel('earshot sound');

  constructor(stop: () => void) {
    this.tabs?.addEventListener('message', stop);
    // What plays in the page, such as a former version of a clip; the sound of the player is not in the document.
    globalThis.document?.addEventListener('play', stop, true);
  }

  /** Stops all others. */
  begin(): void {
    this.tabs?.postMessage('plays');
    for (const other of document.querySelectorAll('audio, video')) (other as HTMLMediaElement).pause();
  }
}
