import { mostCounted } from '@earshot/contract/caption-search';
import { usualTrialDays } from '@earshot/contract/rule-trial';
import { useEffect, useRef, useState } from 'preact/hooks';
import { api } from '../../lib/api.ts';

export const countedDays = usualTrialDays;
/** Longer than the trial waits, because its result is awaited more. */
const typingMs = 900;
const mostForms = 12;
const daySeconds = 86_400;

/** In how many clips of the last 30 days each form was said; asked for one after the other, while nobody types. */
export function useFormCounts(forms: readonly string[]): ReadonlyMap<string, string> {
  const known = useRef(new Map<string, string>());
  const [counts, setCounts] = useState<ReadonlyMap<string, string>>(new Map());
  const asked = [...new Set(forms)].slice(0, mostForms);
  useEffect(() => {
    const stopping = new AbortController();
    const show = () => setCounts(new Map([...known.current].filter(([form]) => asked.includes(form))));
    const count = async () => {
      for (const form of asked) {
        if (known.current.has(form)) continue;
        const total = await countClips(form, stopping.signal);
        known.current.set(
          form,
          total >= mostCounted ? `${mostCounted.toLocaleString('en')} or more` : total.toLocaleString('en'),
        );
        show();
      }
    };
    show();
    // Without counts the forms say enough: a failure is not worth a message, the next change asks again.
    const timer = setTimeout(() => void count().catch(() => {}), typingMs);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [asked.join('|')]);
  return counts;
}

async function countClips(form: string, signal: AbortSignal): Promise<number> {
  const startEpoch = Math.floor(Date.now() / 1_000) - countedDays * daySeconds;
  const body = { searchText: `"${form}"`, wholeWords: true, startEpoch };
  return (await api.searchCaptions({ query: { limit: 1 }, body }, { signal })).total;
}
