import type { Io } from './io.ts';

/** Colours, only on a terminal and unless NO_COLOR is set (no-color.org). */
export interface Paint {
  readonly bold: (text: string) => string;
  readonly dim: (text: string) => string;
  readonly red: (text: string) => string;
  readonly green: (text: string) => string;
  readonly yellow: (text: string) => string;
  readonly cyan: (text: string) => string;
}

const codes = {
  bold: [1, 22],
  dim: [2, 22],
  red: [31, 39],
  green: [32, 39],
  yellow: [33, 39],
  cyan: [36, 39],
} as const;

export function createPaint(io: Pick<Io, 'env'>, stream: { readonly isTTY?: boolean }): Paint {
  const isOn = stream.isTTY === true && !io.env['NO_COLOR'] && io.env['TERM'] !== 'dumb';
  const colour = (name: keyof typeof codes) => (text: string) =>
    isOn && text !== '' ? `\u001B[${codes[name][0]}m${text}\u001B[${codes[name][1]}m` : text;
  return {
    bold: colour('bold'),
    dim: colour('dim'),
    red: colour('red'),
    green: colour('green'),
    yellow: colour('yellow'),
    cyan: colour('cyan'),
  };
}
