import type { WriteStream } from 'node:tty';

export interface ProgressLine {
  show(text: string): void;
  end(): void;
}

const everyMs = 200;

/** One line that is written over on a terminal; nothing elsewhere. */
export function createProgressLine(stream: WriteStream): ProgressLine {
  let shownAt = 0;
  if (!stream.isTTY) return { show: () => {}, end: () => {} };
  const clear = '\r\u001B[K';
  return {
    show(text) {
      if (Date.now() - shownAt < everyMs) return;
      shownAt = Date.now();
      stream.write(clear + text.slice(0, Math.max(20, stream.columns - 1)));
    },
    end: () => void stream.write(clear),
  };
}
