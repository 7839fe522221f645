import { expect, test } from 'vitest';
import { tinyWav } from '../../file/tests/sound.ts';
import { mostReportBytes, mostReportClips } from '@earshot/contract/alert';
import { escapeHtml } from '../../../platform/html.ts';
import { writeBase64 } from '../report/html.ts';
import { fit } from '../report/report.ts';
import { createAlertScene, fire, minuteMs } from './scene.ts';

test('the report is one page with what was said and the sound, all escaped, as an attachment that may do nothing', async () => {
  const { server, client, person, addDevice, say, now, addRule, alertsOf } = await createAlertScene();
  const device = await addDevice();
  const hostile = `"><script>alert('x')</script>&`;
  await client.updateDevice({ params: { deviceID: device }, body: { deviceName: hostile } });
  const ruleID = await addRule(fire);
  await client.updateRule({ params: { ruleID }, body: { version: 1, ruleName: hostile } });
  const first = await say(device, now - 2 * minuteMs, 'fire <b>one</b>');
  await client.putAudioClipContent({ params: { audioClipID: first }, body: tinyWav() });
  await say(device, now - minuteMs, 'fire two');
  const [alert] = await alertsOf(ruleID);
  const params = { alertID: alert?.key ?? 0 };
  await client.addAlertNote({ params, body: { note: hostile } });
  const get = (path: string) =>
    fetch(new URL(`/v1/alert/${params.alertID}/report${path}`, server.url), { headers: { cookie: person.cookie } });
  const response = await get('');
  expect(response.headers.get('content-type')).toBe('text/html; charset=utf-8');
  expect(response.headers.get('content-disposition')).toBe(`attachment; filename="alert-${params.alertID}.html"`);
  expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'; media-src data:; .*sandbox/);
  const page = await response.text();
  expect(page).not.toMatch(/<script|<b>|https?:\/\//);
  expect(page.split(escapeHtml(hostile)).length - 1).toBeGreaterThanOrEqual(4);
  expect(page).toContain('fire &lt;b&gt;one&lt;/b&gt;');
  const [, sound = ''] = /src="data:audio\/[a-z-]+;base64,([^"]+)"/.exec(page) ?? [];
  expect(Buffer.from(sound, 'base64').equals(Buffer.from(tinyWav()))).toBe(true);
  expect(page.match(/The sound is not on the server/g)).toHaveLength(1);

  const lines = (await (await get('?format=jsonl')).text())
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines).toMatchObject([
    { alert: { key: params.alertID, ruleName: hostile, notes: [{ note: hostile }] } },
    { clip: { audioClipID: first, text: 'fire <b>one</b>' } },
    { clip: { text: 'fire two' } },
  ]);
  const other = await createAlertScene();
  await expect(other.client.getAlertReport({ params })).rejects.toMatchObject({ status: 404 });
  const trail = await server.db`
    select device_id from audit_entries where action = 'alert-reported' and record_key = ${params.alertID}`;
  expect(trail.map(({ device_id }) => device_id)).toEqual([device, device]);
});

test('a report has the sound of the first clips that fit, and says of each other one why not', () => {
  const clip = (fileSize: number | null) => ({ fileSize, storageName: fileSize === null ? null : 'x' });
  const missing = (sizes: readonly (number | null)[]) => fit(sizes.map(clip)).map((each) => each.missing);
  expect(missing([mostReportBytes - 1, null, 2, 1, 1])).toEqual([
    undefined,
    'not here',
    'too many bytes',
    undefined,
    'too many bytes',
  ]);
  const many = missing(Array.from({ length: mostReportClips + 1 }, () => 1));
  expect(many.filter((each) => each === undefined)).toHaveLength(mostReportClips);
  expect(many.at(-1)).toBe('too many clips');
});

test('bytes that arrive in any parts are one text', async () => {
  const bytes = Buffer.from(Array.from({ length: 100 }, (_, at) => at));
  async function* parts() {
    for (let at = 0, length = 1; at < bytes.length; at += length, length = (length % 7) + 1)
      yield bytes.subarray(at, at + length);
  }
  let text = '';
  for await (const part of writeBase64(parts())) text += part;
  expect(text).toBe(bytes.toString('base64'));
});
