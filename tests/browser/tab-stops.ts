import type { CDPSession, Page } from 'playwright-core';

/** More Tab stops than any page has. */
const mostStops = 250;
/** Tab presses between two looks at what they reached. */
const atOnce = 6;
/** More Tab presses than a date input needs. */
const mostWithoutStop = 12;

/**
 * Runs with the command line API of the browser, whose `getEventListeners` shows event handlers. Records the elements
 * that handle clicks and their style; then the style of each element that gets the focus.
 */
const note = `(() => {
  const root = document.querySelector('dialog[open]') ?? document.body;
  const plain = 'a[href], button, input, select, textarea, summary, [role=slider], [role=application]';
  const clicks = ['click', 'mousedown', 'pointerdown', 'dblclick'];
  const parts = ['outlineStyle', 'outlineWidth', 'boxShadow', 'borderTopColor', 'borderTopWidth', 'backgroundColor', 'clipPath', 'transform'];
  const styleOf = (element, pseudo) => { const style = getComputedStyle(element, pseudo); return parts.map((part) => style[part]); };
  const lookOf = (element) => JSON.stringify([styleOf(element), styleOf(element, '::after'), styleOf(element.parentElement)]);
  document.activeElement?.blur();
  const all = [...root.querySelectorAll('*')].filter((element) => element.checkVisibility({ visibilityProperty: true }));
  const reacting = all.filter((element) => {
    if (element.matches(':disabled')) return false;
    const listeners = getEventListeners(element);
    return element.matches(plain) || clicks.some((name) => listeners[name]?.length > 0);
  });
  const looks = new Map(all.filter((element) => element.tabIndex >= 0).map((element) => [element, lookOf(element)]));
  window.tabbing?.listening.abort();
  const listening = new AbortController();
  window.tabbing = { root, reacting, listening, stops: [], unseen: [], isRound: false };
  document.addEventListener('focusin', ({ target }) => {
    const { stops, unseen } = window.tabbing;
    if (stops.length > 1 && target === stops[0]) window.tabbing.isRound = true;
    if (stops.includes(target)) return;
    stops.push(target);
    if (looks.get(target) === lookOf(target)) unseen.push(target);
  }, { signal: listening.signal });
})()`;

interface Tabbing {
  readonly root: Element;
  readonly reacting: readonly HTMLElement[];
  readonly stops: readonly HTMLElement[];
  readonly unseen: readonly HTMLElement[];
}

/** Sends all presses before it waits: the browser handles them in turn, and each wait costs a round trip. */
async function pressTab(tools: CDPSession, times: number): Promise<void> {
  const tab = { key: 'Tab', code: 'Tab', windowsVirtualKeyCode: 9 };
  const presses = Array.from({ length: times }, () => [
    tools.send('Input.dispatchKeyEvent', { type: 'rawKeyDown', ...tab }),
    tools.send('Input.dispatchKeyEvent', { type: 'keyUp', ...tab }),
  ]);
  await Promise.all(presses.flat());
}

/** Keyboard faults: controls that Tab does not reach, a wrong order, and controls that do not show the focus. */
export async function keyboardFaults(page: Page): Promise<readonly string[]> {
  const tools = await page.context().newCDPSession(page);
  const { exceptionDetails } = await tools.send('Runtime.evaluate', { expression: note, includeCommandLineAPI: true });
  if (exceptionDetails) throw new Error(exceptionDetails.exception?.description ?? exceptionDetails.text);
  // In batches, until Tab is back at the first stop or finds no new one.
  for (let known = -1, times = 0, knownAt = 0; times < mostStops;) {
    await pressTab(tools, atOnce);
    times += atOnce;
    const { stops, isRound } = (await page.evaluate('({ stops: tabbing.stops.length, isRound: tabbing.isRound })')) as {
      stops: number;
      isRound: boolean;
    };
    if (stops > known) [known, knownAt] = [stops, times];
    if (isRound || times - knownAt >= mostWithoutStop) break;
  }
  await tools.detach();
  return page.evaluate(() => {
    // The last batch may end in a text field, which would take the keys that a test presses next.
    (document.activeElement as HTMLElement | null)?.blur();
    const { reacting, stops, unseen } = (window as unknown as { tabbing: Tabbing }).tabbing;
    const nameOf = (element: Element) =>
      `${element.tagName.toLowerCase()}.${element.className} "${(element.getAttribute('aria-label') ?? element.textContent ?? '').slice(0, 40)}"`;
    const isLinkOfRow = (element: HTMLElement): boolean => {
      const row = element.closest('[role=row]');
      return row?.querySelector('a') === element && stops.some((stop) => stop.parentElement === row.parentElement);
    };
    const isReached = (element: HTMLElement) =>
      stops.some((stop) => stop.contains(element) || element.contains(stop)) ||
      // One of a group in which the arrow keys move.
      (element.tabIndex === -1 && stops.some((stop) => stop.className === element.className)) ||
      // The link of a row of a table: the arrow keys move between rows, and Enter follows it.
      isLinkOfRow(element) ||
      // An option of a list whose field has the focus: the arrow keys choose it.
      (element.role === 'option' &&
        stops.some((stop) => stop.getAttribute('aria-controls') === element.closest('[role=listbox]')?.id)) ||
      // The input of a label is reached instead of the label.
      (element instanceof HTMLLabelElement && element.control !== null && stops.includes(element.control));
    const turns = stops.filter(
      (stop, index) =>
        index > 0 && (stops[index - 1]!.compareDocumentPosition(stop) & Node.DOCUMENT_POSITION_FOLLOWING) === 0,
    );
    return [
      ...reacting
        .filter((element) => element.isConnected && !isReached(element))
        .map((element) => `not reached: ${nameOf(element)}`),
      ...unseen.map((element) => `focus not seen: ${nameOf(element)}`),
      ...turns.slice(1).map((element) => `out of order: ${nameOf(element)}`),
      ...(stops.length === 0 ? ['nothing is reached'] : []),
    ];
  });
}
