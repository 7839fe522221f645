import { RequestRefused } from './call.ts';

/** How a server is asked for a transcript. */
export interface RequestForm {
  readonly format: 'verbose_json' | 'json';
  /** Empty if none is sent. */
  readonly prompt: string;
}

/*
 * Some servers refuse the format with times, and some a prompt. A refused request is sent in the other forms, and the
 * form that succeeds is the first one that is tried from then on. The process remembers it; after a restart the best
 * form is tried again.
 */
export type AskInForms = <Answer>(prompt: string, ask: (form: RequestForm) => Promise<Answer>) => Promise<Answer>;

export function createFormMemory(): AskInForms {
  /** By whether there is a prompt. */
  const accepted = new Map<boolean, { readonly format: RequestForm['format']; readonly sendsPrompt: boolean }>();
  return async (prompt, ask) => {
    const hasPrompt = prompt !== '';
    const first = accepted.get(hasPrompt);
    const forms = (hasPrompt ? [true, false] : [false]).flatMap((sendsPrompt) =>
      (['verbose_json', 'json'] as const).map((format) => ({ format, sendsPrompt })),
    );
    const isFirst = (form: (typeof forms)[number]) =>
      form.format === first?.format && form.sendsPrompt === first.sendsPrompt;
    let refusal: RequestRefused | undefined;
    for (const form of forms.toSorted((a, b) => Number(isFirst(b)) - Number(isFirst(a)))) {
      try {
        const answer = await ask({ format: form.format, prompt: form.sendsPrompt ? prompt : '' });
        accepted.set(hasPrompt, form);
        return answer;
      } catch (error) {
        if (!(error instanceof RequestRefused)) throw error;
        // The first reason is shown: it is about the form that the server should support.
        refusal ??= error;
      }
    }
    throw refusal!;
  };
}
