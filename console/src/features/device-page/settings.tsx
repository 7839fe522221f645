import type { Retention } from '@earshot/contract/audio-clip-retention';
import type { CaptionProgress } from '@earshot/contract/caption-progress';
import { captionProfiles } from '@earshot/contract/caption-profile';
import type { Device } from '@earshot/contract/device';
import { longTextLength, shortTextLength } from '@earshot/contract/values';
import { createDeviceKey } from '@earshot/contract/api-key';
import { deleteDevice, updateDevice } from '@earshot/contract/device';
import { setDeviceDisclosure } from '@earshot/contract/disclosure';
import { setDevicePublication } from '@earshot/contract/publication';
import { setDeviceLanguages } from '@earshot/contract/spoken-language';
import { useEffect, useState } from 'preact/hooks';
import { ApiForm } from '../../lib/api-form.tsx';
import { api } from '../../lib/api.ts';
import { deferAction } from '../../lib/deferred.ts';
import type { PageProps } from '../../lib/lazy-page.tsx';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { navigate } from '../../lib/location.ts';
import { refresh, useQuery } from '../../lib/query.ts';
import { showToast } from '../../lib/toasts.ts';
import { Button } from '../../lib/ui/button.tsx';
import { countText } from '../../lib/ui/count-text.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { CheckField, SelectField, TextArea, TextField } from '../../lib/ui/field.tsx';
import type { Values } from '../../lib/ui/form.tsx';
import { sizeText } from '../../lib/ui/size-text.ts';
import { DisclosureSection, PublicationSection } from '../channel/public.tsx';
import { nameOf, oneDevice } from '../device/public.ts';
import { SettingsOnDevice } from '../device-setting/public.tsx';
import { captionProgress } from '../listen/public.ts';
import { may } from '../right/public.ts';
import { WatchingRules } from '../rule/public.tsx';
import { LanguagesSection } from '../spoken-language/public.tsx';
import { DeviceKeys } from './keys.tsx';

const zones = (current: string): readonly { readonly value: string; readonly label: string }[] => {
  const known = new Set(['UTC', current, ...Intl.supportedValuesOf('timeZone')]);
  return [...known].toSorted().map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') }));
};

export function SettingsOfDevice({ id }: PageProps) {
  const device = useQuery(oneDevice(id));
  return <WhenLoaded from={device}>{(data) => <DeviceSettings key={id} device={data} />}</WhenLoaded>;
}

function DeviceSettings({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  return (
    <>
      {may(deleteDevice, { deviceID }) && <WatchingRules deviceID={deviceID} />}
      <div class="beside">
        {may(updateDevice, { deviceID }) ? <GeneralForm device={device} /> : <GeneralFacts device={device} />}
        <LanguagesSection scope={{ deviceID }} mayEdit={may(setDeviceLanguages, { deviceID })} />
        <SettingsOnDevice deviceID={deviceID} />
        {may(setDeviceDisclosure, { deviceID }) && <DisclosureSection deviceID={deviceID} />}
        {may(setDevicePublication, { deviceID }) && <PublicationSection deviceID={deviceID} />}
        {may(createDeviceKey, { deviceID }) && <DeviceKeys device={device} />}
        {may(deleteDevice, { deviceID }) && <RemoveDevice device={device} />}
      </div>
    </>
  );
}

const engineLabels: Readonly<Record<'' | (typeof captionProfiles)[number], string>> = {
  '': 'As set for this installation',
  fast: 'Fast',
  accurate: 'Accurate, takes longer',
};

/** For people who may read the device, not change it. */
function GeneralFacts({ device }: { readonly device: Device }) {
  const {
    deviceName,
    timeZone = 'UTC',
    deviceDescription,
    retentionDays,
    autoCaption = false,
    captionEngine,
    isRadio = false,
  } = device;
  const facts = [
    ['Name', deviceName],
    ['Time zone', timeZone.replaceAll('_', ' ')],
    ['Description', deviceDescription],
    ['Recordings are kept', retentionDays === undefined ? 'Forever' : countText(retentionDays, 'day')],
    ['Transcribe every clip', autoCaption ? 'Yes' : 'No'],
    ['Transcription', engineLabels[captionEngine ?? '']],
    ['Records radio', isRadio ? 'Yes' : 'No'],
  ] as const;
  return (
    <Section title="General" bare>
      <div class="card padded stack">
        <p class="hint">You may read this device, not change it.</p>
        <dl class="facts">
          {facts.map(([name, value]) => (
            <div key={name}>
              <dt>{name}</dt>
              <dd>{value ? <UserText text={value} /> : '—'}</dd>
            </div>
          ))}
        </dl>
      </div>
    </Section>
  );
}

function GeneralForm({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  const [days, setDays] = useState(String(device.retentionDays ?? ''));
  const save = async ({
    deviceName = '',
    deviceDescription = '',
    timeZone = '',
    retentionDays = '',
    autoCaption,
    captionEngine,
    isRadio,
  }: Values) => {
    await api.updateDevice({
      params: { deviceID },
      body: {
        deviceName,
        deviceDescription: deviceDescription || null,
        timeZone,
        retentionDays: retentionDays === '' ? null : Number(retentionDays),
        autoCaption: autoCaption === 'true',
        captionEngine: captionProfiles.find((profile) => profile === captionEngine) ?? null,
        isRadio: isRadio === 'true',
      },
    });
    refresh([`device ${deviceID}`]);
    showToast('Saved.');
  };
  return (
    <Section title="General" bare>
      <div class="card padded">
        <ApiForm submit="Save" onSend={save}>
          <div class="fields-2">
            <TextField name="deviceName" label="Name" value={device.deviceName ?? ''} maxLength={shortTextLength} />
            <SelectField
              name="timeZone"
              label="Time zone"
              options={zones(device.timeZone ?? 'UTC')}
              value={device.timeZone ?? 'UTC'}
              hint="The time zone at the location of the device."
            />
          </div>
          <TextArea
            name="deviceDescription"
            label="Description"
            value={device.deviceDescription ?? ''}
            maxLength={longTextLength}
            rows={2}
            optional
          />
          <div class="fields-2">
            <TextField
              name="retentionDays"
              label="Keep recordings for (days)"
              type="number"
              min={1}
              value={days}
              onInput={setDays}
              hint={<RetentionPreview deviceID={deviceID} days={days} />}
              optional
            />
            <CheckField
              name="autoCaption"
              label="Transcribe every clip"
              hint="Each clip is transcribed after its upload, so that you can search for spoken words."
              checked={device.autoCaption ?? false}
            />
          </div>
          <SelectField
            name="captionEngine"
            label="Transcription"
            options={(['', ...captionProfiles] as const).map((value) => ({ value, label: engineLabels[value] }))}
            value={device.captionEngine ?? ''}
            hint="For clips that are transcribed from now on. Accurate makes fewer mistakes, takes about three times as long, and writes down other languages than English."
          />
          <CheckField
            name="isRadio"
            label="This device records radio"
            hint={<RadioHint />}
            checked={device.isRadio ?? false}
          />
        </ApiForm>
      </div>
    </Section>
  );
}

const thirdListenNow: Readonly<Record<CaptionProgress['thirdListen'], string>> = {
  off: ' On this installation this is switched off.',
  radio: '',
  paused: ' This is paused at present, until new clips wait less than ten minutes.',
  all: '',
};

function RadioHint() {
  const { data: progress } = useQuery(captionProgress);
  return (
    <>
      Where the words of a clip stay unsure, they are transcribed once more by the accurate model. Calls from a recorder
      of radio calls always count as radio.{progress && thirdListenNow[progress.thirdListen]}
    </>
  );
}

const typingMs = 300;

/** Shows what the retention would delete, before it is saved. */
function RetentionPreview({ deviceID, days }: { readonly deviceID: number; readonly days: string }) {
  const [text, setText] = useState('');
  useEffect(() => {
    const retentionDays = Number(days);
    if (days === '' || !Number.isInteger(retentionDays) || retentionDays < 1) {
      setText(days === '' ? 'Leave empty to keep recordings forever.' : '');
      return;
    }
    const asked = new AbortController();
    const timer = setTimeout(() => {
      api.previewRetention({ params: { deviceID }, query: { retentionDays } }, { signal: asked.signal }).then(
        (answer) => setText(previewText(answer)),
        () => setText(''),
      );
    }, typingMs);
    return () => {
      clearTimeout(timer);
      asked.abort();
    };
  }, [days, deviceID]);
  return <span aria-live="polite">{text}</span>;
}

function previewText({ expiringFileCount = 0, expiringBytes = 0, lockedClipCount = 0 }: Retention): string {
  const files = expiringFileCount === 1 ? '1 recording' : `${expiringFileCount} recordings`;
  const locked = lockedClipCount > 0 ? `; ${lockedClipCount} locked and kept` : '';
  if (expiringFileCount === 0) return `No recordings would be deleted now${locked}.`;
  return `${files} (${sizeText(expiringBytes)}) would be deleted now${locked}.`;
}

function RemoveDevice({ device }: { readonly device: Device }) {
  const deviceID = device.key ?? 0;
  const remove = () => {
    deferAction(`device ${deviceID}`, `${nameOf(device)} is deleted.`, () =>
      api.deleteDevice({ params: { deviceID } }),
    );
    navigate('/devices');
  };
  return (
    <Section title="Delete device" bare>
      <div class="card padded danger-zone">
        <p>Deletes the device with its agents, events, clips and audio files.</p>
        <Button kind="danger" icon="trash" onClick={remove}>
          Delete this device
        </Button>
      </div>
    </Section>
  );
}
