import { createHash } from 'node:crypto';
import type { Client } from '@earshot/client/client';
import type { DemoSpeech } from '../speech.ts';
import { radioStories, recorderStories } from '../stories.ts';

/** A spoken sentence, whose file many clips share. */
export interface DemoSound {
  readonly fileID: number;
  readonly fileSize: number;
  readonly text: string;
  readonly lengthMs: number;
  readonly isRadio: boolean;
}

const [speakers, sentencesOf] = [8, 2];
const bytesPerMs = 32;
const headerBytes = 44;

/** Speaks a few sentences and stores them. */
export async function storeSounds(session: Client, speech: DemoSpeech): Promise<readonly DemoSound[]> {
  const said = [
    ...recorderStories.map((story) => ({ voice: story, sentences: story.sentences, noiseDb: undefined })),
    ...radioStories.flatMap((story) =>
      story.talkgroups.map((voice) => ({ voice, sentences: voice.sentences, noiseDb: story.noiseDb })),
    ),
  ];
  const plain = said.filter(({ noiseDb }) => noiseDb === undefined).slice(0, speakers);
  const radio = said.filter(({ noiseDb }) => noiseDb !== undefined).slice(0, speakers);
  const sounds: DemoSound[] = [];
  for (const { voice, sentences, noiseDb } of [...plain, ...radio]) {
    for (const text of sentences.slice(0, sentencesOf)) {
      const bytes = await speech.speak(voice, text, noiseDb);
      const { fileID, fileSize } = await storeFile(session, `sentence-${sounds.length + 1}.wav`, bytes);
      const lengthMs = Math.round((bytes.length - headerBytes) / bytesPerMs);
      sounds.push({ fileID, fileSize, text, lengthMs, isRadio: noiseDb !== undefined });
    }
  }
  return sounds;
}

export async function storeFile(session: Client, filename: string, bytes: Buffer<ArrayBuffer>) {
  const sHA256Hash = createHash('sha256').update(bytes).digest('hex');
  const file = await session.createFile({ body: { filename, fileSize: bytes.length, sHA256Hash } });
  const { key: fileID = 0, signedURL = '' } = file;
  const sent = await fetch(signedURL, { method: 'PUT', body: bytes });
  if (!sent.ok) throw new Error(`A sound could not be stored: ${await sent.text()}`);
  await session.finishFile({ params: { fileID } });
  return { fileID, fileSize: bytes.length };
}
