import { afterEach, expect, test } from 'vitest';
import { answerLeaving, hasUnsaved, mayLeave, wantsToLeave } from './leaving.ts';

afterEach(() => {
  answerLeaving(false);
  hasUnsaved.value = false;
});

test('a page without unsaved text is left at once', () => {
  expect(mayLeave(() => expect.unreachable())).toBe(true);
  expect(wantsToLeave.peek()).toBeUndefined();
});

test('a page with unsaved text is left after the person agrees, and not asked about again', () => {
  hasUnsaved.value = true;
  const went: string[] = [];
  const go = (): void => {
    if (mayLeave(go)) went.push('there');
  };
  go();
  expect(went).toEqual([]);
  expect(wantsToLeave.peek()).toBeDefined();
  answerLeaving(true);
  expect(went).toEqual(['there']);
  expect(wantsToLeave.peek()).toBeUndefined();
});

test('a person who stays is asked the next time too', () => {
  hasUnsaved.value = true;
  mayLeave(() => expect.unreachable());
  answerLeaving(false);
  expect(hasUnsaved.peek()).toBe(true);
  expect(mayLeave(() => {})).toBe(false);
});
