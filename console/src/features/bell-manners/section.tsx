import type { BellManners } from '@earshot/contract/bell';
import { useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { WhenLoaded } from '../../lib/loaded.tsx';
import type { Query } from '../../lib/query.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { viewerZone } from '../../lib/ui/clock.ts';
import { Section } from '../../lib/ui/elements.tsx';
import { CheckField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { chooseBellSound, hasBellSound, playBellSound } from '../bell/public.ts';
import { TimeList } from '../rule/public.tsx';
import { ChannelTable } from './channel-table.tsx';
import { choiceOf, DigestFields, digestOf } from './digest-fields.tsx';

const myManners: Query<BellManners> = { key: 'bell manners', load: () => api.getBellManners() };

/** How, when and by whose rules the person is told. */
export function BellMannersSection() {
  const manners = useQuery(myManners);
  return (
    <Section title="How I am told" bare>
      <div class="card padded">
        <WhenLoaded from={manners}>{(data) => <MannersForm manners={data} />}</WhenLoaded>
      </div>
    </Section>
  );
}

function MannersForm({ manners }: { readonly manners: BellManners }) {
  const [times, setTimes] = useState(manners.quietTimes);
  const [severityChannels, setSeverityChannels] = useState(manners.severityChannels);
  const [digestChoice, setDigestChoice] = useState(choiceOf(manners.digest));
  const save = async (values: Values) => {
    const { refusesOthers, hasSound } = values;
    await api.putBellManners({
      body: {
        quietTimes: times,
        refusesOthers: refusesOthers === 'true',
        severityChannels,
        digest: digestOf(values),
      },
    });
    const isOn = hasSound === 'true';
    if (isOn && !hasBellSound()) playBellSound();
    chooseBellSound(isOn);
    refresh(['bell manners']);
    showToast('Saved.');
  };
  return (
    <ApiForm submit="Save" onSend={save}>
      <ChannelTable chosen={severityChannels} onChange={setSeverityChannels} />
      <div class="field" role="group" aria-label="Quiet hours">
        <p class="copy-label">Quiet hours</p>
        <TimeList
          times={times}
          onChange={setTimes}
          none="None: you are told at any time."
          addFirst="Add quiet hours"
          zoneHint="UTC"
          start={{ from: '22:00', to: '06:00', timeZone: viewerZone() }}
        />
        <p class="hint">
          The bell makes no sound, and channels wait for the digest. Your own critical rules, and those of admins, are
          not quiet.
        </p>
      </div>
      <DigestFields digest={manners.digest} choice={digestChoice} onChoose={setDigestChoice} />
      <CheckField
        name="refusesOthers"
        label="Not by other people’s rules"
        hint="Only your own rules tell you."
        checked={manners.refusesOthers}
      />
      <CheckField
        name="hasSound"
        label="Play a sound"
        hint="In this browser, when something new comes while the console is open."
        checked={hasBellSound()}
      />
    </ApiForm>
  );
}
