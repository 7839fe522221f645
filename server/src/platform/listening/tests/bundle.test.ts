import { fork } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  moonshineBaseModel,
  voiceModel,
  whisperTinyModel,
} from '@earshot/server/platform/listening/models/declaration';
import { childEnvironment } from '@earshot/server/platform/listening/process/child-process';
import type { Segment } from '@earshot/server/platform/listening/engine';
import type { FromChild, ToChild } from '@earshot/server/platform/listening/process/protocol';
import { openTestModels, readRecordings } from '@earshot/server/testing/speech';
import { needs } from '@earshot/server/testing/needs';
import { expect, test } from 'vitest';

const program = fileURLToPath(new URL('../../../../dist/listening-child.js', import.meta.url));
const never = new AbortController().signal;

test('the built engine process captions, and exits when its server exits', needs('speech'), async () => {
  expect(existsSync(program), 'run `npm run build` first').toBe(true);
  const models = openTestModels();
  const task = {
    profile: 'moonshine',
    voiceFolder: await models.provide(voiceModel, never),
    textFolder: await models.provide(moonshineBaseModel, never),
    languageFolder: await models.provide(whisperTinyModel, never),
  };
  const child = fork(program, [JSON.stringify(task)], {
    serialization: 'advanced',
    env: childEnvironment,
    execArgv: [],
  });
  try {
    const { words, samples } = readRecordings()[4]!;
    const say = (message: ToChild) => child.send(message);
    const segments = await new Promise<readonly Segment[]>((resolve, reject) => {
      const pieces = [samples];
      const found: Segment[] = [];
      child.on('message', (message: FromChild) => {
        if (message.kind === 'ready') say({ kind: 'analyse', clip: 1 });
        else if (message.kind === 'more') {
          const piece = pieces.shift();
          say(piece ? { kind: 'sound', clip: 1, samples: piece } : { kind: 'end', clip: 1 });
        } else if (message.kind === 'part') found.push(...message.part.segments);
        else if (message.kind === 'done') resolve(found);
        else if (message.kind !== 'progress') reject(new Error(message.reason));
      });
      child.once('exit', (code) => reject(new Error(`it ended with ${code}`)));
    });
    const text = segments.map((segment) => segment.text).join(' ');
    expect(text.toLowerCase().replace(/[^a-z ]/g, '')).toBe(words.join(' '));
    child.disconnect();
    const [code] = (await once(child, 'exit')) as [number];
    expect(code).toBe(0);
  } finally {
    child.kill('SIGKILL');
  }
});
