import { nameBuild } from '@earshot/contract/build-name';
import type { AgentStatus, RecordingCounts } from './agent-status.ts';

/** The exit codes of `earshot-agent status`; 78 is a configuration that cannot be used. */
export const statusExitCodes = { well: 0, attention: 1, notRunning: 2 } as const;

export interface ShownStatus {
  readonly text: string;
  readonly exitCode: number;
}

const mostSilentMs = 300_000;
const mostClockErrorMs = 30_000;
/** The agent writes its status once a minute at least. */
const staleMs = 180_000;
const startsWithinMs = 60_000;

export interface StatusView {
  readonly deviceSerial: string;
  readonly server: string;
  /** Undefined if there is none. */
  readonly status: AgentStatus | undefined;
  readonly isRunning: boolean;
  readonly nowMs: number;
}

/** One screen for people. */
export function showStatus({ deviceSerial, server, status, isRunning, nowMs }: StatusView): ShownStatus {
  if (!status) {
    const text = isRunning
      ? `The agent of ${deviceSerial} is running and has not written its status yet. Try again in some seconds.`
      : `The agent of ${deviceSerial} is not running, and there is no status of an earlier run.`;
    return { text, exitCode: isRunning ? statusExitCodes.attention : statusExitCodes.notRunning };
  }
  const age = (date: string | undefined) => showAge(date, nowMs);
  const attention = isRunning ? findAttention(status, nowMs) : [];
  const { version, sha256 = 'unknown', startedDate, processID, recordings, lastError } = status;
  const lines = [
    `Agent ${nameBuild(version, sha256)} of ${status.deviceSerial}`,
    row('state', isRunning ? `running since ${age(startedDate)}, process ${processID}` : 'NOT RUNNING'),
    ...(isRunning ? [] : [row('', `the following is what it knew ${age(status.writtenDate)}`)]),
    row('build', sha256),
    row('platform', `${server}, ${status.lastReachedDate ? `reached ${age(status.lastReachedDate)}` : 'not reached'}`),
    row('clock', describeClock(status.clockErrorMs)),
    '',
    'Sources',
    ...(status.sources.length === 0 ? ['  none'] : []),
    ...status.sources.map(({ name, lastSoundDate }) => {
      const fault = status.faults.find(({ what }) => what.endsWith(name.replace(/^folder /, '')));
      const sound = lastSoundDate ? `last sound ${age(lastSoundDate)}` : 'no sound yet';
      return `  ${safe(name)}: ${sound}${fault ? `; fails: ${safe(fault.reason)}` : ''}`;
    }),
    ...(status.isRecording ? [] : ['  An event stopped the recording of sound cards and streams.']),
    '',
    'Recordings',
    row('to announce', String(recordings.notAnnounced)),
    row('to upload', `${recordings.notUploaded}${status.upload === 'requested' ? ', when the platform asks' : ''}`),
    row('set aside', String(recordings.setAside)),
    ...nameSetAside(recordings, age),
    '',
    row('last error', lastError ? `${age(lastError.date)}: ${safe(lastError.message)}` : 'none'),
    ...(attention.length > 0 ? ['', 'Needs attention', ...attention.map((line) => `  ${safe(line)}`)] : []),
  ];
  const exitCode = attention.length > 0 ? statusExitCodes.attention : statusExitCodes.well;
  return { text: lines.join('\n'), exitCode: isRunning ? exitCode : statusExitCodes.notRunning };
}

function findAttention(status: AgentStatus, nowMs: number): string[] {
  const since = (date: string) => nowMs - Date.parse(date);
  const { writtenDate, startedDate, lastReachedDate, clockErrorMs = 0, recordings, faults } = status;
  const isSilent = since(lastReachedDate ?? startedDate) > (lastReachedDate ? mostSilentMs : startsWithinMs);
  return [
    ...(since(writtenDate) > staleMs
      ? [`The agent has not written its status for ${showSpan(since(writtenDate))}.`]
      : []),
    ...(isSilent ? ['The platform is not reached. Recording goes on; everything is sent later.'] : []),
    ...(Math.abs(clockErrorMs) > mostClockErrorMs
      ? ['The clock of this device is wrong. Set it, or switch on NTP: timedatectl set-ntp true']
      : []),
    ...(recordings.setAside > 0
      ? ['The platform refused recordings. They stay on the device and are tried again once a day.']
      : []),
    ...faults.map(({ what, reason }) => `${what}: ${reason}`),
  ];
}

function nameSetAside({ setAside, setAsideFiles }: RecordingCounts, age: (date: string) => string): string[] {
  const named = setAsideFiles.map(
    ({ path, reason, sinceDate }) => `    ${safe(path)}: ${safe(reason)} (${age(sinceDate)})`,
  );
  const more = setAside - setAsideFiles.length;
  return more > 0 ? [...named, `    and ${more} more`] : named;
}

function describeClock(errorMs: number | undefined): string {
  if (errorMs === undefined) return 'not compared with the platform yet';
  if (Math.abs(errorMs) < 5_000) return 'agrees with the platform';
  return `${showSpan(Math.abs(errorMs))} ${errorMs > 0 ? 'ahead of' : 'behind'} the platform`;
}

const row = (name: string, text: string): string => `  ${name.padEnd(12)}${text}`;

const two = (value: number): string => String(value).padStart(2, '0');

/** `2026-11-15 08:30:00 (5 min ago)`, in the zone of this device. */
function showAge(date: string | undefined, nowMs: number): string {
  const ms = Date.parse(date ?? '');
  if (Number.isNaN(ms)) return 'at an unknown time';
  const at = new Date(ms);
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  const span = nowMs >= ms ? `${showSpan(nowMs - ms)} ago` : `in ${showSpan(ms - nowMs)}`;
  return `${day} ${two(at.getHours())}:${two(at.getMinutes())}:${two(at.getSeconds())} (${span})`;
}

function showSpan(ms: number): string {
  const seconds = Math.round(ms / 1_000);
  if (seconds < 120) return `${seconds} s`;
  if (seconds < 7_200) return `${Math.floor(seconds / 60)} min`;
  return seconds < 172_800 ? `${Math.floor(seconds / 3_600)} h` : `${Math.floor(seconds / 86_400)} d`;
}

/** Names of files and messages are of others: nothing in them reaches the terminal as a command. */
const safe = (text: string): string =>
  text.replaceAll(/[\p{Cc}\p{Cs}\u202A-\u202E\u2066-\u2069]/gu, (sign) => {
    const code = sign.codePointAt(0)!;
    // A byte that is not UTF-8 is kept as a lone surrogate.
    const byte = code >= 0xdc80 && code <= 0xdcff ? code - 0xdc00 : code;
    return byte <= 0xff ? `\\x${byte.toString(16).padStart(2, '0')}` : `\\u${byte.toString(16).padStart(4, '0')}`;
  });
