import type { DemoSpeech } from './speech.ts';
import type { RadioStory, TalkgroupStory } from './stories.ts';

interface RadioParts {
  readonly url: string;
  readonly uploadKey: string;
  readonly speech: DemoSpeech;
  readonly signal: AbortSignal;
}

const frequency = 851_012_500;
const secondsPerLetter = 0.07;

/** Speaks a call through a noisy channel and sends it as trunk-recorder does; whether it was new is not told. */
export async function sendRadioCall(
  { url, uploadKey, speech, signal }: RadioParts,
  story: RadioStory,
  talkgroup: TalkgroupStory,
  sentence: number,
  startMs: number,
): Promise<void> {
  const text = talkgroup.sentences[sentence % talkgroup.sentences.length] ?? '';
  const sound = await speech.speak(talkgroup, text, story.noiseDb);
  const startTime = Math.floor(startMs / 1_000);
  const name = `${talkgroup.number}-${startTime}_${frequency}.wav`;
  const length = (text.length * secondsPerLetter).toFixed(2);
  const unit = talkgroup.units[sentence % talkgroup.units.length] ?? 0;
  const form = new FormData();
  form.append('audio', new Blob([sound], { type: 'audio/x-wav' }), name);
  const fields: Readonly<Record<string, string>> = {
    audioName: name,
    audioType: 'audio/x-wav',
    dateTime: String(startTime),
    frequencies: `[{"freq": ${frequency}, "time": ${startTime}, "pos": 0.00, "len": ${length}, "errorCount": 0}]`,
    frequency: `${frequency}.000000`,
    key: uploadKey,
    patches: '[]',
    talkgroup: String(talkgroup.number),
    talkgroupGroup: talkgroup.group,
    talkgroupLabel: talkgroup.label,
    talkgroupTag: talkgroup.name,
    talkgroupName: talkgroup.name,
    sources: `[{"pos": 0.00, "src": ${unit}}]`,
    system: String(story.system),
    systemLabel: story.label,
  };
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  const response = await fetch(new URL('/api/call-upload', url), { method: 'POST', body: form, signal });
  const said = await response.text();
  if (!response.ok) throw new Error(`A radio call was refused (${response.status}): ${said}`);
}
