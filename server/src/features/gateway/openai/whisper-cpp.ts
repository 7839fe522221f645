import type { Refusal } from '../../../errors.ts';
import type { GatewayAnswer } from '../../../platform/http/serve-gateway.ts';
import type { Captions, Segment } from '../../../platform/listening/engine.ts';
import { json, subtitles } from './answer.ts';
import type { TranscriptionOptions } from './request.ts';
import { inSeconds, englishLanguageName, segmentFields } from './segment-fields.ts';

/*
 * Responses as the server of whisper.cpp gives them (ggml-org/whisper.cpp, examples/server, commit 233fe1f): a text has
 * one line for each segment, and each text of a segment or word begins with a space.
 *
 * One difference: a text is sent as `text/plain`. That server sends it as HTML, and a browser would run what was said.
 */
export function answerInference(captions: Captions, { format }: TranscriptionOptions): GatewayAnswer {
  if (format === 'srt' || format === 'vtt') return subtitles(captions, format);
  const understood = captions.segments.filter(({ text }) => text !== '');
  const text = understood.map((segment) => ` ${segment.text}\n`).join('');
  if (format === 'text') return { status: 200, text };
  if (format === 'json') return json(200, { text });
  const language = englishLanguageName(captions.language);
  return json(200, {
    task: 'transcribe',
    language,
    duration: inSeconds(captions.soundMs),
    text,
    segments: understood.map(describeSegment),
    detected_language: language,
  });
}

function describeSegment(segment: Segment, id: number) {
  const { seek: _seek, compression_ratio: _ratio, ...fields } = segmentFields(segment, id);
  const words = segment.words.map(({ text, startMs, endMs, confidence }) => ({
    word: ` ${text}`,
    start: inSeconds(startMs),
    end: inSeconds(endMs),
    // Times of another kind, which that server computes only on request.
    t_dtw: -1,
    probability: confidence / 100,
  }));
  return { ...fields, text: ` ${segment.text}`, words };
}

export const refuseInference = ({ status, message }: Refusal): GatewayAnswer => json(status, { error: message });
