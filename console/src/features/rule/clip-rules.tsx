import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { FilterPick } from '../../lib/ui/filter-pick.tsx';
import { allRules } from './data.ts';
import { Explanation } from './explanation.tsx';

/** "Why did this rule match, or not?" on the page of a clip. */
export function ClipRules({ audioClipID }: { readonly audioClipID: number }) {
  const { data: rules = [] } = useQuery(allRules);
  const [chosen, setChosen] = useState('');
  if (rules.length === 0) return null;
  const rule = rules.find(({ key }) => String(key) === chosen);
  return (
    <Section title="Rules" bare>
      <div class="card padded clip-rules">
        <FilterPick
          label="Why did this rule match, or not?"
          value={chosen}
          all="Choose a rule"
          options={rules.map(({ key, ruleName = '' }) => ({ value: String(key), label: ruleName }))}
          onChange={setChosen}
        />
        {rule && <Explanation key={chosen} rule={rule} audioClipID={audioClipID} />}
      </div>
    </Section>
  );
}
