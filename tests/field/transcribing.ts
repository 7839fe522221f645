import type { TestServer } from '@earshot/server/testing/server';
import { startTestServer } from '@earshot/server/testing/server';
import OpenAI, { toFile } from 'openai';
import { realEngine } from '../../server/src/features/caption/tests/captioning.ts';
import { createTestEars } from '../../server/src/features/caption/tests/test-engines.ts';
import { tinyWav } from '../../server/src/features/file/tests/sound.ts';

/* Programs that call the API of OpenAI, with engines that write one word for each second. */

export const engines = createTestEars();

export const startTranscribingServer = (): Promise<TestServer> =>
  startTestServer({ captions: realEngine }, { engines });

/** The secret of a new key that may transcribe; the engines are as at the start. */
export async function createSecret(server: TestServer): Promise<string> {
  await server.db`delete from sign_in_attempts`;
  engines.before = () => {};
  engines.eachSecond = undefined;
  engines.asked.length = 0;
  const person = await server.addPerson();
  const { secret = '' } = await person.session.createUploadKey({ body: { transcribe: true } });
  return secret;
}

export const programOf = (from: TestServer, apiKey: string): OpenAI =>
  new OpenAI({ apiKey, baseURL: `${from.url}/v1`, maxRetries: 0 });

export const soundFile = (seconds = 3.2) => toFile(tinyWav(seconds), 'speech.wav');
