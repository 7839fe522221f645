import type { Client } from '@earshot/client/client';
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A recording of four hours with 30,000 words, for pages that must stay quick. */

const seconds = 4 * 3_600;
const wordCount = 30_000;
const said = [
  'the',
  'ferry',
  'to',
  'island',
  'harbour',
  'leaves',
  'at',
  'announcement',
  'of',
  'a',
  'passengers',
  'now',
];

export interface LongWord {
  readonly text: string;
  readonly startMs: number;
  readonly endMs: number;
}

export interface LongClip {
  readonly clipID: number;
  readonly words: readonly LongWord[];
}

/** Every tenth word has its number, so that it can be told from all others; sentences have 4 to 28 words. */
function writeTranscript(): string {
  const words: string[] = [];
  let left = 12;
  for (let at = 0; at < wordCount; at++) {
    const text = at % 10 === 0 ? `n${at}` : said[(at * 7 + (at >> 4)) % said.length]!;
    left -= 1;
    words.push(left === 0 ? `${text}.` : text);
    if (left === 0) left = 4 + ((at * 31) % 25);
  }
  return words.join(' ');
}

function makeSilence(): Uint8Array<ArrayBuffer> {
  const folder = mkdtempSync(join(tmpdir(), 'earshot-silence-'));
  const path = join(folder, 'silence.flac');
  const source = `anullsrc=r=8000:cl=mono:d=${seconds}`;
  execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, '-c:a', 'flac', path]);
  const bytes = new Uint8Array(readFileSync(path));
  rmSync(folder, { recursive: true });
  return bytes;
}

export async function makeLongClip(client: Client, deviceSerial: string, startTime: number): Promise<LongClip> {
  const body = { startTime, clipLengthInSeconds: seconds };
  const { key: clipID = 0 } = await client.announceAudioClip({ params: { audioClipID: deviceSerial }, body });
  await client.putAudioClipContent({ params: { audioClipID: clipID }, body: makeSilence() });
  const { segments } = await client.correctCaption({
    params: { captionID: clipID },
    body: { transcript: writeTranscript() },
  });
  return { clipID, words: segments.flatMap(({ words }) => words) };
}
