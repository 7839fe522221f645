import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { showToast } from '../lib/toasts.ts';
import { Button, LinkButton } from '../lib/ui/button.tsx';
import { CopyField } from '../lib/ui/copy-field.tsx';
import { DayPicker, RangePicker } from '../lib/ui/day-picker.tsx';
import { Dialog } from '../lib/ui/dialog.tsx';
import { Badge, Empty, PageHead, Progress, Section, Skeleton, UserText } from '../lib/ui/elements.tsx';
import { FilterPick } from '../lib/ui/filter-pick.tsx';
import { FilterSelect, FilterText } from '../lib/ui/filter.tsx';
import { Hued } from '../lib/ui/hued.tsx';
import { Menu } from '../lib/ui/menu.tsx';
import { Choice, Tabs } from '../lib/ui/tabs.tsx';
import { Time } from '../lib/ui/time.tsx';

const kinds = ['primary', 'plain', 'quiet', 'danger'] as const;
const tones = ['good', 'bad', 'warn', 'busy', 'idle'] as const;
const long = `${'A very long name that does not fit into its place, '.repeat(4)}end`;
const many = Array.from({ length: 60 }, (_, at) => ({ value: String(at), label: `Option ${at}` }));

/** Only in development: every part in every state, to be looked at in both themes and all sizes. */
export function PartsPage() {
  const [day, setDay] = useState('2026-11-15');
  const [days, setDays] = useState(['2026-11-01', '2026-11-15'] as const);
  const [choice, setChoice] = useState<'one' | 'two'>('one');
  const [value, setValue] = useState('');
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <PageHead
        title="Parts"
        back={{ href: '/', label: 'Back' }}
        under={<span>In development only</span>}
        actions={<Button kind="primary">Action</Button>}
      />
      <Part title="Buttons">
        {kinds.map((kind) => (
          <div key={kind} class="buttons">
            <Button kind={kind}>{kind}</Button>
            <Button kind={kind} icon="add">
              With icon
            </Button>
            <Button kind={kind} small>
              Small
            </Button>
            <Button kind={kind} busy>
              Busy
            </Button>
            <Button kind={kind} icon="more" label={`Only an icon, ${kind}`} />
          </div>
        ))}
        <LinkButton href="/parts">A link</LinkButton>
      </Part>
      <Part title="States">
        {tones.map((tone) => (
          <Badge key={tone} tone={tone}>
            {tone}
          </Badge>
        ))}
        {tones.map((tone, at) => (
          <Progress key={tone} tone={tone} value={at * 25} label={`Progress, ${tone}`} />
        ))}
      </Part>
      <Part title="Names">
        {['siren', 'owl', 'FIRE DISP', 'POLICE', 'church bells', '<b>wind</b>'].map((text) => (
          <Hued key={text} text={text} />
        ))}
        <UserText text={long} />
        <Time date={Date.now() - 90_000} />
      </Part>
      <Part title="Filters">
        <div class="filters">
          <FilterSelect label="Few" value={value} options={many.slice(0, 3)} onChange={setValue} />
          <FilterPick label="Many" value={value} all="All" options={many} onChange={setValue} />
          <FilterText label="Text" value="" placeholder="Any" maxLength={20} onChange={setValue} />
          <DayPicker label="One day" value={day} onChange={setDay} />
          <RangePicker label="Days" from={days[0]} to={days[1]} onChange={(from, to) => setDays([from, to] as never)} />
        </div>
        <Choice
          label="Choice"
          value={choice}
          options={[
            { value: 'one', label: 'One' },
            { value: 'two', label: 'Two' },
          ]}
          onChange={setChoice}
        />
        <Tabs
          label="Tabs"
          current="a"
          href={() => '/parts'}
          tabs={[
            { value: 'a', label: 'Current' },
            { value: 'b', label: 'Other', count: '1,001' },
          ]}
        />
      </Part>
      <Part title="Over the page">
        <Button onClick={() => setOpen(true)}>Dialog</Button>
        <Button onClick={() => showToast('Something was done.', { undo: () => {} })}>Toast</Button>
        <Button onClick={() => showToast('Something failed.', { tone: 'bad' })}>Bad toast</Button>
        <Menu
          label="More actions"
          items={[
            { label: 'Edit', icon: 'edit', onSelect: () => {} },
            { label: 'Delete', icon: 'trash', danger: true, onSelect: () => {} },
          ]}
        />
        {isOpen && (
          <Dialog title={long} onClose={() => setOpen(false)}>
            <CopyField label="Copy" text="curl https://example.org" multiline />
          </Dialog>
        )}
      </Part>
      <Part title="Nothing and not yet">
        <Empty icon="wave" title="Nothing here" action={<Button>What to do</Button>}>
          Why there is nothing, and what belongs here.
        </Empty>
        <Skeleton rows={3} />
      </Part>
    </>
  );
}

const Part = ({ title, children }: { readonly title: string; readonly children: ComponentChildren }) => (
  <Section title={title}>
    <div class="day-part">{children}</div>
  </Section>
);
