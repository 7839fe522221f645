import { createHash } from 'node:crypto';
import { escapeHtml } from '../../../platform/html.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import type { MissingSound, AlertReport, ReportedClip } from './report.ts';

/*
 * One page that needs nothing else: no address, no script, sound as data. Everything that people or devices wrote is escaped,
 * and the page forbids itself everything else, also when it is opened from a disk.
 */

const style =
  'body{font:16px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#1a1a1a;background:#fff}' +
  'audio{width:100%}li{margin:0 0 1.5rem}small{color:#555}dt{font-weight:600}dd{margin:0 0 .5rem}';

const styleHash = createHash('sha256').update(style).digest('base64');

/** Also sent as a header. */
export const reportPolicy = `default-src 'none'; media-src data:; style-src 'sha256-${styleHash}'; form-action 'none'; base-uri 'none'`;

const timeOf = (ms: number): string => new Date(ms).toISOString();

export async function* writeHtml(
  { alert, clips, people }: AlertReport,
  storage: Storage,
): AsyncGenerator<string | Buffer> {
  const title = escapeHtml(`Alert ${alert.key}: ${alert.ruleName ?? ''}`);
  yield (
    `<!doctype html>\n<html lang="en"><head><meta charset="utf-8">` +
      `<meta http-equiv="Content-Security-Policy" content="${reportPolicy}">` +
      `<meta name="viewport" content="width=device-width"><title>${title}</title><style>${style}</style></head>\n` +
      `<body><h1>${title}</h1>\n<dl>${factsOf(alert, people)}</dl>\n`
  );
  yield notesOf(alert, people);
  yield `<h2>Clips</h2>\n<ol>\n`;
  for (const clip of clips) yield* writeClip(clip, storage);
  yield `</ol>\n</body></html>\n`;
}

function factsOf(alert: AlertReport['alert'], people: AlertReport['people']): string {
  const nameOf = (key: number | null | undefined) => (key ? (people.get(key) ?? `person ${key}`) : undefined);
  const facts: readonly (readonly [string, string | number | null | undefined])[] = [
    ['Severity', alert.severity],
    ['State', alert.state],
    ['Devices', alert.deviceNames?.join(', ')],
    ['First sound', timeOf((alert.startTime ?? 0) * 1_000 + (alert.startTimeMs ?? 0))],
    ['Last sound', timeOf((alert.lastStartTime ?? 0) * 1_000 + (alert.lastStartTimeMs ?? 0))],
    ['Matches', alert.matchCount],
    ['Owner of the rule', nameOf(alert.userID)],
    ['Assigned to', nameOf(alert.assigneeID)],
    ['Nobody was told', alert.silence],
    ['This report was made', timeOf(Date.now())],
  ];
  return facts
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `<dt>${name}</dt><dd>${escapeHtml(String(value))}</dd>`)
    .join('');
}

function notesOf({ notes }: AlertReport['alert'], people: AlertReport['people']): string {
  if (notes.length === 0) return '';
  const lines = notes.map(({ note = '', userID, creationDate }) => {
    const who = people.get(userID ?? 0) ?? `person ${userID}`;
    const when = new Date(creationDate ?? 0).toISOString();
    return `<li><small>${escapeHtml(`${when} · ${who}`)}</small><br>${escapeHtml(note)}</li>`;
  });
  return `<h2>Notes</h2>\n<ul>${lines.join('')}</ul>\n`;
}

const reasons: Readonly<Record<MissingSound, string>> = {
  'not here': 'The sound is not on the server.',
  'too many clips': 'The sound did not fit into this file: it has the sound of the first clips only.',
  'too many bytes': 'The sound did not fit into this file: it would be too large.',
};

async function* writeClip(clip: ReportedClip, storage: Storage): AsyncGenerator<string | Buffer> {
  const { audioClipID, deviceName, startMs, endMs, text, missing, storageName } = clip;
  if (audioClipID === null) {
    const end = endMs === null ? 'goes on' : timeOf(endMs);
    yield `<li><strong>${escapeHtml(deviceName)}</strong> <time>${timeOf(startMs)}</time> – ${end}</li>\n`;
    return;
  }
  yield (
    `<li><strong>${escapeHtml(deviceName)}</strong> <time>${timeOf(startMs)}</time> <small>clip ${audioClipID}</small>` +
      (text === undefined ? '' : `<p>${escapeHtml(text)}</p>`)
  );
  if (missing !== undefined) yield `<p><small>${reasons[missing]}</small></p>`;
  else if (storageName !== null) {
    yield `<audio controls src="data:${soundType(clip.contentType)};base64,`;
    yield* writeBase64(await storage.read(storageName));
    yield `"></audio>`;
  }
  yield `</li>\n`;
}

/** What a sender called its file is not repeated unless it is a type of sound. */
const soundType = (type: string | null): string =>
  type !== null && /^audio\/[A-Za-z0-9.+-]{1,60}$/.test(type) ? type : 'application/octet-stream';

/** In whole groups of three bytes, so that the parts are one text. */
export async function* writeBase64(source: AsyncIterable<Buffer>): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of source) {
    const bytes = Buffer.concat([rest, chunk]);
    const whole = bytes.length - (bytes.length % 3);
    yield bytes.subarray(0, whole).toString('base64');
    rest = bytes.subarray(whole);
  }
  if (rest.length > 0) yield rest.toString('base64');
}
