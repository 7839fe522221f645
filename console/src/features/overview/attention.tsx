import type { Alert } from '@earshot/contract/overview';
import { useState } from 'preact/hooks';
import { useQuery } from '../../lib/query.ts';
import { Button } from '../../lib/ui/button.tsx';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { Icon } from '../../lib/ui/icon.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { allDevices, nameOf } from '../device/public.ts';
import { maySend, sendToDevices } from '../event/public.ts';
import { alertAddress, alertTitle, deviceText, noAlertsText, timeLabel } from './alert-text.ts';
import { acknowledge, acknowledgeAll, requestAgain, retryAll, takeBack } from './data.ts';

/** Alerts of the last day, equal ones together, or a line that there are none. */
export function Attention({ alerts }: { readonly alerts: readonly Alert[] }) {
  const open = alerts.filter(({ newCount }) => newCount > 0);
  const done = alerts.filter(({ newCount }) => newCount === 0);
  const [isWhole, setWhole] = useState(false);
  return (
    <>
      {open.length === 0 ? (
        <p class="all-well" role="status">
          <Icon name="check" />
          {done.length === 0 ? noAlertsText : 'All problems are acknowledged.'}
        </p>
      ) : (
        <Section title="Needs attention" count={open.length} action={<AcknowledgeAll alerts={open} />}>
          <ul class="rows" aria-live="polite">
            {(isWhole ? open : open.slice(0, mostUnfolded)).map((alert) => (
              <AlertRow key={nameOfAlert(alert)} alert={alert} />
            ))}
          </ul>
          {open.length > mostUnfolded && (
            <div class="fold">
              <Button small kind="quiet" onClick={() => setWhole(!isWhole)}>
                {isWhole ? 'Show fewer' : `Show ${open.length - mostUnfolded} more`}
              </Button>
            </div>
          )}
        </Section>
      )}
      {done.length > 0 && (
        <details class="acknowledged">
          <summary>Acknowledged ({done.length})</summary>
          <div class="card">
            <ul class="rows">
              {done.map((alert) => (
                <AlertRow key={nameOfAlert(alert)} alert={alert} />
              ))}
            </ul>
          </div>
        </details>
      )}
    </>
  );
}

/** With more, the others are folded away. */
const mostUnfolded = 4;

function AcknowledgeAll({ alerts }: { readonly alerts: readonly Alert[] }) {
  const mine = alerts.filter(({ mayChange }) => mayChange);
  if (mine.length < 2) return null;
  return (
    <Button small kind="quiet" icon="check" onClick={() => void acknowledgeAll(mine)}>
      Acknowledge all
    </Button>
  );
}

const nameOfAlert = ({ alert, keys, eventTypeID = 0, eventStatus = 0, result = '' }: Alert): string =>
  alert === 'failedEvents' ? `${eventTypeID} ${eventStatus} ${result}` : `${alert} ${keys.at(-1)}`;

const warnings = new Set<Alert['alert']>(['lowBattery', 'fullDisk', 'differentSettings', 'neverConnected']);

function AlertRow({ alert }: { readonly alert: Alert }) {
  const { lastDate, result, newCount, keys, deviceIDs, mayChange } = alert;
  const [isOpen, setOpen] = useState(false);
  const isDone = newCount === 0;
  const title = alertTitle(alert);
  const isNamed = title.startsWith(alert.deviceNames[0] ?? ' ') && deviceIDs.length === 1;
  return (
    <li class="alert-row">
      <div class="row">
        <a class="row-link" href={alertAddress(alert)}>
          <span class={`row-icon ${isDone ? '' : warnings.has(alert.alert) ? 'warn' : 'bad'}`}>
            <Icon name={isDone ? 'check' : 'alert'} />
          </span>
          <span class="row-main">
            <span class="row-title">
              <UserText text={title} />
            </span>
            <span class="row-under">
              {newCount > 0 && newCount < keys.length && <strong>{newCount} new</strong>}
              {!isNamed && <UserText text={deviceText(alert)} />}
              {lastDate && (
                <span>
                  {timeLabel(alert)} <Time date={lastDate} />
                </span>
              )}
            </span>
            {result && (
              <span class="row-under">
                <UserText text={result} />
              </span>
            )}
          </span>
        </a>
        <span class="row-actions">
          {mayChange && !isDone && <AlertAction alert={alert} title={title} />}
          {deviceIDs.length > 1 && (
            <Button
              small
              kind="quiet"
              label={`${isOpen ? 'Hide' : 'Show'} devices: ${title}`}
              onClick={() => setOpen(!isOpen)}
            >
              {isOpen ? 'Hide' : 'Show'}
            </Button>
          )}
          {mayChange && (
            <Button
              small
              kind="quiet"
              icon={isDone ? 'repeat' : 'check'}
              label={`${isDone ? 'Mark as new' : 'Acknowledge'}: ${title}`}
              onClick={() => void (isDone ? takeBack(alert) : acknowledge(alert))}
            >
              {isDone ? 'Mark as new' : 'Acknowledge'}
            </Button>
          )}
        </span>
      </div>
      {isOpen && <AlertDevices deviceIDs={deviceIDs} />}
    </li>
  );
}

/** The one thing that usually helps. */
function AlertAction({ alert, title }: { readonly alert: Alert; readonly title: string }) {
  const [isBusy, setBusy] = useState(false);
  const { keys, deviceIDs } = alert;
  const actions: Readonly<Partial<Record<Alert['alert'], readonly [text: string, act: () => Promise<unknown>]>>> = {
    failedEvents: [keys.length > 1 ? 'Retry all' : 'Retry', () => retryAll(alert)],
    failedUploads: ['Request again', () => requestAgain(alert)],
    darkDevices: ['Request diagnostics', () => sendToDevices(deviceIDs, 'Report_diagnostics')],
    fullDisk: ['Request diagnostics', () => sendToDevices(deviceIDs, 'Report_diagnostics')],
    lowBattery: ['Request diagnostics', () => sendToDevices(deviceIDs, 'Report_diagnostics')],
    differentSettings: ['Restart agents', () => sendToDevices(deviceIDs, 'Restart_agents')],
  };
  const [text, act] = actions[alert.alert] ?? [];
  if (!text || !act) return null;
  // Retrying sends events of this type to all of these devices.
  const { eventTypeID } = alert;
  if (eventTypeID !== undefined && !deviceIDs.every((deviceID) => maySend(eventTypeID, { deviceID }))) return null;
  const run = async () => {
    setBusy(true);
    await act();
    setBusy(false);
  };
  return (
    <Button small busy={isBusy} label={`${text}: ${title}`} onClick={() => void run()}>
      {text}
    </Button>
  );
}

const mostShown = 100;

function AlertDevices({ deviceIDs }: { readonly deviceIDs: readonly number[] }) {
  const { data: devices = [] } = useQuery(allDevices);
  const named = new Map(devices.map((device) => [device.key, device]));
  const more = deviceIDs.length - mostShown;
  return (
    <ul class="alert-devices">
      {deviceIDs.slice(0, mostShown).map((deviceID) => (
        <li key={deviceID}>
          <a href={`/devices/${deviceID}`}>
            <UserText text={nameOf(named.get(deviceID) ?? { key: deviceID })} />
          </a>
        </li>
      ))}
      {more > 0 && <li class="quiet">and {more.toLocaleString('en')} more</li>}
    </ul>
  );
}
