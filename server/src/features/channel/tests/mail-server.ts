import { onTestFinished } from 'vitest';
import type { MailServer, ReceivedMail } from './mail-listener.ts';
import { openMailServer } from './mail-listener.ts';

/** A real SMTP server on this machine, until the test ends. */
export async function startMailServer(): Promise<MailServer> {
  const server = await openMailServer();
  onTestFinished(() => server.stop());
  return server;
}

/** The fields of the header, unfolded, by their names in lower case; each as often as it is there. */
export function headersOf({ raw }: ReceivedMail): readonly (readonly [string, string])[] {
  const [head = ''] = raw.split('\r\n\r\n');
  return head
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
    .map((line) => [line.slice(0, line.indexOf(':')).toLowerCase(), line.slice(line.indexOf(':') + 2)]);
}

export const headerOf = (mail: ReceivedMail, name: string): string | undefined =>
  headersOf(mail).find(([each]) => each === name)?.[1];

/** Its text, of the part of this type, decoded. */
export function partOf({ raw }: ReceivedMail, type: 'text/plain' | 'text/html'): string {
  const part = raw.split(/\r\n--/).find((each) => each.toLowerCase().includes(`content-type: ${type}`)) ?? '';
  const [head = '', ...body] = part.split('\r\n\r\n');
  const text = body.join('\r\n\r\n');
  if (/base64/i.test(head)) return Buffer.from(text, 'base64').toString();
  if (!/quoted-printable/i.test(head)) return text;
  const bytes = text
    .replaceAll('=\r\n', '')
    .replaceAll(/=([0-9A-F]{2})/g, (_whole, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, 'latin1').toString();
}

/** The attached files by their names, decoded. */
export function filesIn({ raw }: ReceivedMail): Readonly<Record<string, Buffer>> {
  const entries = raw.split(/\r\n--/).flatMap((part) => {
    const [head = '', body = ''] = part.split('\r\n\r\n');
    const name = /filename="?([\w.-]+)/.exec(head)?.[1];
    return name === undefined ? [] : [[name, Buffer.from(body, 'base64')] as const];
  });
  return Object.fromEntries(entries);
}
