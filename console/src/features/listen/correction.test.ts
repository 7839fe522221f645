import { describe, expect, test } from 'vitest';
import type { Caption } from '@earshot/contract/caption';
import type { CorrectionDraft } from './correction.ts';
import { Correction } from './correction.ts';
import { editWord } from './edits.ts';
import { linesOf } from './words.ts';

function captionOf(version: number, transcript: string): Caption {
  const words = transcript
    .split(' ')
    .map((text, at) => ({ text, startMs: at * 500, endMs: at * 500 + 400, confidence: 90 }));
  const segment = { startMs: 0, endMs: 9_000, text: transcript, words, confidence: 90, isLanguageKnown: true };
  return { key: 1, version, transcript, segments: [segment] };
}

/** A server that keeps versions, and a browser that keeps one draft. */
function start(transcript = 'the fairy is late') {
  const server = { version: 1, transcript, fails: undefined as Error | undefined, requests: 0 };
  const browser: { draft: CorrectionDraft | undefined; isFull: boolean } = { draft: undefined, isFull: false };
  const correction = new Correction({
    keep: (draft) => {
      browser.draft = draft;
      return !browser.isFull;
    },
    send: async (text, version) => {
      server.requests += 1;
      if (server.fails) throw server.fails;
      if (version !== server.version) return 'overtaken';
      server.transcript = text;
      return ++server.version;
    },
  });
  let caption = captionOf(1, transcript);
  const arrive = () => {
    caption = captionOf(server.version, server.transcript);
    correction.follow(caption, linesOf(caption));
  };
  arrive();
  const edit = (at: number, text: string) =>
    correction.change(editWord(correction.edits.peek(), linesOf(caption), at, text));
  return { server, browser, correction, arrive, edit };
}

describe('a correction', () => {
  test('is kept as a draft, saved in one request, and shown until the saved version arrives', async () => {
    const { server, browser, correction, arrive, edit } = start();
    edit(1, 'ferry');
    edit(3, 'early');
    expect(browser.draft?.edits).toHaveLength(2);
    expect(await correction.save()).toBe(1);
    expect(server).toMatchObject({ transcript: 'the ferry is early', requests: 1 });
    expect(browser.draft).toBeUndefined();
    expect(correction.edits.peek().size).toBe(2);
    arrive();
    expect(correction.edits.peek().size).toBe(0);
    expect(correction.isOvertaken.peek()).toBe(false);
  });

  test('is undone step by step, and a discarded one too', () => {
    const { browser, correction, edit } = start();
    edit(1, 'ferry');
    edit(3, 'early');
    correction.undo();
    expect([...correction.edits.peek().keys()]).toEqual([1]);
    correction.discard();
    expect(browser.draft).toBeUndefined();
    correction.undo();
    expect(browser.draft?.edits.map(({ text }) => text)).toEqual(['ferry']);
  });

  test('stays with its draft if saving fails', async () => {
    const { server, browser, correction, edit } = start();
    edit(1, 'ferry');
    server.fails = new Error('The server does not respond.');
    expect(await correction.save()).toBeUndefined();
    expect(correction.problem.peek()).toBe('The server does not respond.');
    expect(browser.draft?.edits).toHaveLength(1);
    expect(correction.isSaving.peek()).toBe(false);
  });

  test('of a version that someone else replaced is moved to the new one, then saved; nothing is lost', async () => {
    const { server, browser, correction, arrive, edit } = start('the fairy is late to day');
    edit(1, 'ferry');
    edit(3, 'early');
    Object.assign(server, { version: 2, transcript: 'the fairy is delayed to day' });
    expect(await correction.save()).toBeUndefined();
    expect(server.transcript).toBe('the fairy is delayed to day');
    arrive();
    expect(correction.isOvertaken.peek()).toBe(true);
    expect(correction.unplaced.peek()).toMatchObject([{ was: 'late', text: 'early' }]);
    expect(browser.draft).toMatchObject({ version: 2, edits: [{ text: 'ferry' }], unplaced: [{ text: 'early' }] });
    expect(await correction.save()).toBe(2);
    expect(server.transcript).toBe('the ferry is delayed to day');
    arrive();
    expect(correction.edits.peek().size).toBe(0);
    expect(browser.draft).toMatchObject({ edits: [], unplaced: [{ text: 'early' }] });
    correction.dropUnplaced();
    expect(browser.draft).toBeUndefined();
  });

  test('is continued from its draft, also on a newer version', () => {
    const { browser, edit } = start();
    edit(1, 'ferry');
    const draft = browser.draft!;
    const again = start();
    again.correction.resume(draft);
    expect([...again.correction.edits.peek().keys()]).toEqual([1]);
    expect(again.correction.isOvertaken.peek()).toBe(false);
    const later = start('now the fairy is late');
    Object.assign(later.server, { version: 5 });
    later.arrive();
    later.correction.resume(draft);
    expect([...later.correction.edits.peek().keys()]).toEqual([2]);
    expect(later.correction.isOvertaken.peek()).toBe(true);
  });

  test('tells if the browser cannot keep it', () => {
    const { browser, correction, edit } = start();
    browser.isFull = true;
    edit(1, 'ferry');
    expect(correction.isKept.peek()).toBe(false);
  });
});
