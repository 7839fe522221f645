import type { OptionDeclaration } from './command.ts';
import { usageFailure } from './failure.ts';
import { readTime } from './time.ts';

export const kebab = (name: string): string => name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);

/** The value of an option from its text. `now` is in milliseconds. */
export function readOption(name: string, option: OptionDeclaration, text: string, now: number): string | number {
  const flag = `--${kebab(name)}`;
  switch (option.kind) {
    case 'flag':
      throw usageFailure(`${flag} takes no value.`);
    case 'text':
      if (option.choices && !option.choices.includes(text)) {
        throw usageFailure(`${flag} must be one of ${option.choices.join(', ')}, not “${text}”.`);
      }
      return text;
    case 'integer':
    case 'number':
      return readNumber(flag, option, text);
    case 'time': {
      const time = readTime(text, now);
      if (time === undefined) {
        throw usageFailure(
          `${flag} must be a date or time, not “${text}”. Examples: 2026-11-15, 2026-11-15T08:30, 2h (two hours ago), yesterday.`,
        );
      }
      return time;
    }
  }
}

function readNumber(
  flag: string,
  { kind, least = -Infinity, most = Infinity }: Extract<OptionDeclaration, { kind: 'integer' | 'number' }>,
  text: string,
): number {
  const value = /^[+-]?\d+(\.\d+)?$/.test(text) ? Number(text) : NaN;
  const isKind = kind === 'integer' ? Number.isSafeInteger(value) : Number.isFinite(value);
  if (isKind && value >= least && value <= most) return value;
  const range =
    most < Infinity ? ` from ${Math.max(least, 0)} to ${most}` : least > -Infinity ? ` of at least ${least}` : '';
  throw usageFailure(`${flag} must be a ${kind === 'integer' ? 'whole ' : ''}number${range}, not “${text}”.`);
}
