import type { Page } from 'playwright-core';

/** A press after which the server refused a request. */
export interface Refusal {
  readonly path: string;
  readonly pressed: string;
  readonly request: string;
}

interface PressWindow extends Window {
  pressing: { waiting: number; last: string; readonly refused: [pressed: string, request: string][] };
}

/**
 * Notes in each page which request was refused after which press. Captions and waveforms that do not exist are asked for
 * with every clip, and a wrong password is refused: these are no refusals.
 */
export const watchRefusals = (page: Page): Promise<unknown> =>
  page.addInitScript(() => {
    const state: PressWindow['pressing'] = { waiting: 0, last: '', refused: [] };
    (globalThis as unknown as PressWindow).pressing = state;
    const send = globalThis.fetch;
    const optional = /^\/v1\/(caption\/\d+|audioclip\/\d+\/waveform|session\/password)$/;
    globalThis.fetch = async (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : String(input), location.href);
      if (pathname === '/v1/live') return send(input, init);
      const pressed = state.last;
      state.waiting += 1;
      try {
        const answer = await send(input, init);
        const isRefused = answer.status === 403 || answer.status === 404;
        if (isRefused && !optional.test(pathname)) {
          state.refused.push([pressed, `${init?.method ?? 'GET'} ${pathname} ${answer.status}`]);
        }
        return answer;
      } finally {
        state.waiting -= 1;
      }
    };
    globalThis.print = () => {};
  });

export interface Visit {
  /** Kinds of controls. */
  readonly pressed: readonly string[];
  readonly refusals: readonly Refusal[];
}

/** Waits until the page has loaded what it shows, and asked for the rights to it. */
export async function settle(page: Page): Promise<void> {
  await page.locator('main h1, main .empty').first().waitFor();
  await page.waitForFunction(() => document.querySelector('.skeleton') === null);
  await page.evaluate(quiet);
}

/** In the page: until no request is waiting for some frames. */
async function quiet(): Promise<void> {
  const { pressing } = globalThis as unknown as PressWindow;
  for (let still = 0, frames = 0; still < 4 && frames < 300; frames += 1) {
    await new Promise((resolve) => setTimeout(resolve, 15));
    still = pressing.waiting === 0 ? still + 1 : 0;
  }
}

/**
 * Presses every kind of control that the page and its dialogs show, what removes something last. Controls of one kind, as
 * those of each row of a list, are pressed once. The page is open already if `isOpen`. Returns what was pressed, and what the server refused.
 */
export async function pressAll(page: Page, path: string, isOpen = false): Promise<Visit> {
  const pressed = new Set<string>();
  const refusals: Refusal[] = [];
  const take = async () => {
    for (const [by, request] of await page.evaluate(() => (globalThis as unknown as PressWindow).pressing.refused)) {
      if (by !== '') refusals.push({ path, pressed: by, request });
    }
  };
  // A press may lead away, or change what is shown: the page is opened again for what was not pressed yet.
  for (let isAway = !isOpen, isFirst = true; isAway || isFirst; isFirst = false) {
    if (isAway) await page.goto(path);
    await settle(page);
    const done: readonly string[] = await page.evaluate(pressVisible, [...pressed]);
    isAway = done.length > 0 && new URL(page.url()).pathname !== new URL(path, page.url()).pathname;
    for (const name of done) pressed.add(name);
    // What can be undone for some seconds is sent now.
    await page.evaluate(() => void dispatchEvent(new Event('pagehide')));
    await page.evaluate(quiet);
    await take();
  }
  return { pressed: [...pressed], refusals };
}

/** In the page. Returns the kinds of controls that it pressed. */
async function pressVisible(before: readonly string[]): Promise<readonly string[]> {
  const { pressing } = globalThis as unknown as PressWindow;
  const start = location.pathname;
  const done = new Set(before);
  const own: string[] = [];
  /** They end the visit, show what the device should hear, or open a window of the machine. */
  const left =
    /^(Sign out|Close$|Cancel$|Record$|Start recording$|Choose files|Choose a folder|Clear selection|Reload)/;
  const removes = /^(Delete|Remove|Revoke|Disable|Replace|End|Stop sharing|Take|Change role)/;
  const nameOf = (element: HTMLElement): string =>
    (
      element.getAttribute('aria-label') ??
      (element as HTMLInputElement).labels?.[0]?.textContent ??
      element.textContent ??
      ''
    ).trim();
  /** `Cancel Reboot, North gate` and `Cancel Upload` are one kind. */
  const kindOf = (element: HTMLElement): string => {
    const place = element.closest('dialog')
      ? `dialog ${element.closest('dialog')?.querySelector('h2')?.textContent ?? ''}`
      : '';
    const words = nameOf(element)
      .replaceAll(/[\d.,:]+/g, '#')
      .split(' ');
    const isOfRow = element.closest('.row, .table-row, li, tr') !== null;
    return [place.replaceAll(/\d+/g, '#'), element.className, words.slice(0, isOfRow ? 1 : 4).join(' ')].join('|');
  };
  const scope = (): ParentNode =>
    [...document.querySelectorAll('dialog[open]')].at(-1) ?? document.querySelector('main')!;
  const find = (): HTMLElement[] => {
    const all = [
      ...scope().querySelectorAll<HTMLElement>(
        'button, [role=menuitem], summary, input[type=checkbox], a[href^="/v1/"]',
      ),
      ...document.querySelectorAll<HTMLElement>('.sticky-bar button'),
    ];
    const open = all
      .filter((element) => element.checkVisibility() && !(element as HTMLButtonElement).disabled)
      .filter((element) => !left.test(nameOf(element)) && !done.has(kindOf(element)));
    const isLast = (element: HTMLElement) =>
      removes.test(nameOf(element)) ? 2 : (element as HTMLButtonElement).type === 'submit' ? 1 : 0;
    return open.toSorted((a, b) => isLast(a) - isLast(b));
  };
  const wait = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
  const rest = async () => {
    await wait(30);
    for (let still = 0, steps = 0; still < 2 && steps < 200; steps += 1) {
      await wait(10);
      still = pressing.waiting === 0 && document.querySelector('.skeleton') === null ? still + 1 : 0;
    }
  };
  const valueFor: Readonly<Record<string, string>> = {
    number: '1',
    email: `p${Date.now()}@example.org`,
    url: 'https://example.org/x',
  };
  const fill = (form: ParentNode) => {
    for (const field of form.querySelectorAll<HTMLInputElement | HTMLTextAreaElement>('input, textarea')) {
      const isText = !['checkbox', 'radio', 'file', 'date', 'datetime-local', 'time', 'search'].includes(field.type);
      if (!isText || field.value !== '' || !field.checkVisibility()) continue;
      field.value = valueFor[field.type] ?? `pressed ${Date.now() % 100_000}`;
      field.dispatchEvent(new Event('input', { bubbles: true }));
      field.dispatchEvent(new Event('change', { bubbles: true }));
    }
  };
  for (let presses = 0; presses < 150 && location.pathname === start; presses += 1) {
    const [next] = find();
    if (next === undefined) {
      const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog[open]')].at(-1);
      if (dialog === undefined) break;
      dialog.dispatchEvent(new Event('cancel', { cancelable: true }));
      await rest();
      if (dialog.isConnected && dialog.open) break;
      continue;
    }
    const kind = kindOf(next);
    done.add(kind);
    own.push(kind);
    pressing.last = kind;
    const dialog = next.closest('dialog, form');
    if (dialog && (next as HTMLButtonElement).type === 'submit') fill(dialog);
    if (next instanceof HTMLAnchorElement) await fetch(next.href).then((answer) => answer.body?.cancel());
    else next.click();
    await rest();
  }
  return own;
}
