import { expect, test } from 'vitest';
import { recordingLog } from '../../testing/log.ts';
import type { ThirdListenSettings } from './third-listen.ts';
import { decideThirdListen, neededMB } from './third-listen.ts';

function decide(settings: Partial<ThirdListenSettings>, memoryMB = 64_000) {
  const log = recordingLog();
  const decided = decideThirdListen({ kind: 'moonshine', thirdListen: 'auto', atOnce: 1, ...settings }, log, memoryMB);
  return { decided, lines: log.lines };
}

test('radio gets a third listen if the machine has the memory for each clip at once', () => {
  expect(decide({}, neededMB(1))).toEqual({ decided: 'radio', lines: [] });
  expect(decide({ atOnce: 4 }, neededMB(4)).decided).toBe('radio');
  expect(decide({ atOnce: 4 }, neededMB(4) - 1).decided).toBeUndefined();
});

test('with too little memory, the log says how much is needed', () => {
  const { decided, lines } = decide({}, 2_000);
  expect(decided).toBeUndefined();
  expect(lines).toEqual([
    {
      level: 'info',
      fields: { neededMB: neededMB(1), memoryMB: 2_000 },
      message: 'radio gets no third listen: too little memory',
    },
  ]);
});

test('on and off do not depend on the memory, and another engine makes no third listen', () => {
  expect(decide({ thirdListen: 'on' }, 500)).toEqual({ decided: 'all', lines: [] });
  expect(decide({ thirdListen: 'off' })).toEqual({ decided: undefined, lines: [] });
  expect(decide({ thirdListen: undefined }).decided).toBeUndefined();
  for (const kind of ['whisper', 'openai']) expect(decide({ kind })).toEqual({ decided: undefined, lines: [] });
});
