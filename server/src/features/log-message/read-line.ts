import { parseDateTime } from '@earshot/contract/date-time';
import type { LogLevel } from '@earshot/contract/log-message';
import { plausibleTime } from '../../platform/device-clock.ts';

/** Loggers write the level in capitals before the message: after a date, a name or a bracket. */
const levelAtStart =
  /(?<![A-Za-z])(?:(FATAL|CRITICAL|ERROR|ERR)|(WARNING|WARN)|(INFO|NOTICE)|(DEBUG|TRACE|VERBOSE))(?![A-Za-z])/;
const startLength = 80;

const words: readonly (readonly [LogLevel, RegExp])[] = [
  ['error', /\b(?:error|exception|traceback|fatal|critical|panic|fail(?:ed|ure|s)?)\b|[a-z](?:Error|Exception)\b/i],
  ['warning', /\bwarn(?:ing)?s?\b/i],
  ['debug', /\b(?:debug|trace|verbose)\b/i],
];

/** A line has no level of its own, so it is guessed from the text. */
export function guessLevel(message: string): LogLevel {
  const stated = levelAtStart.exec(message.slice(0, startLength));
  if (stated) return stated[1] ? 'error' : stated[2] ? 'warning' : stated[3] ? 'info' : 'debug';
  return words.find(([, pattern]) => pattern.test(message))?.[0] ?? 'info';
}

/** Undefined if the text is no date, or one that the device cannot mean. Programs also write a space instead of T. */
export function readLogDate(text: string | undefined): Date | undefined {
  const iso = text?.trim().replace(/^(\d{4}-\d\d-\d\d) /, '$1T') ?? '';
  const date = parseDateTime(iso) ?? parseDateTime(`${iso}Z`);
  return plausibleTime(date?.getTime());
}
