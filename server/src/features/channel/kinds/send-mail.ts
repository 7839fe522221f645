import { createTransport } from 'nodemailer';
import { OutboundError } from '../../../platform/outbound/outbound-error.ts';
import type { SendAnswer, Carrier, ToldSound } from './kind.ts';
import type { MailConfig } from './mail-config.ts';

export interface Mail {
  readonly to: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
  /** Without angle brackets; the same in every attempt. */
  readonly messageID: string;
  /** The message with which its thread begins. */
  readonly thread?: string;
  readonly sounds?: readonly ToldSound[];
}

/** With sound, a mail takes longer; a worker's lease is longer still, also if the mail is then sent without. */
const timesLongerWithSound = 1.5;

/** Hands a mail over to the mail server, on a connection whose address was checked. */
export async function sendMail(
  mail: Mail,
  { host, port, isSecure, login, from }: MailConfig,
  { outbound, signal, attemptMs }: Pick<Carrier, 'outbound' | 'signal' | 'attemptMs'>,
): Promise<SendAnswer> {
  const { sounds = [] } = mail;
  const deadline = AbortSignal.timeout(attemptMs * (sounds.length > 0 ? timesLongerWithSound : 1));
  const ended = AbortSignal.any([signal, deadline]);
  const connection = await outbound.openSocket({ host, port }, ended);
  const cut = () => void connection.destroy();
  ended.addEventListener('abort', cut, { once: true });
  const domain = from.slice(from.lastIndexOf('@') + 1);
  const transport = createTransport({
    host,
    port,
    secure: isSecure,
    ...(login ? { auth: login, requireTLS: !isSecure } : {}),
    getSocket: (_options: unknown, done: (error: Error | null, socket: object) => void) => done(null, { connection }),
    socketTimeout: attemptMs,
    disableFileAccess: true,
    disableUrlAccess: true,
  });
  try {
    const { response } = await transport.sendMail({
      from,
      to: mail.to,
      subject: mail.subject,
      text: mail.text,
      html: mail.html,
      attachments: sounds.map((sound) => ({
        filename: sound.name,
        contentType: sound.contentType,
        content: sound.read(),
      })),
      messageId: `<${mail.messageID}@${domain}>`,
      ...(mail.thread === undefined ? {} : { references: `<${mail.thread}@${domain}>` }),
      headers: { 'Auto-Submitted': 'auto-generated' },
    });
    return { outcome: 'accepted', said: 'the mail server took the message', excerpt: response, status: 250 };
  } catch (error) {
    if (signal.aborted) throw new OutboundError('stopped', 'the call was aborted', { cause: error });
    if (deadline.aborted) throw new OutboundError('late', 'the mail server did not answer in time', { cause: error });
    return readFailure(error);
  } finally {
    ended.removeEventListener('abort', cut);
    cut();
  }
}

/** Answers of 4xx pass, those of 5xx stay (RFC 5321). */
function readFailure(error: unknown): SendAnswer {
  const { responseCode, response, code } = error as {
    readonly responseCode?: number;
    readonly response?: string;
    readonly code?: string;
  };
  if (responseCode === undefined)
    return { outcome: 'later', said: `the mail server could not be used (${code ?? 'unknown'})` };
  return {
    outcome: responseCode >= 500 ? 'refused' : 'later',
    status: responseCode,
    said: `the mail server answered ${responseCode}`,
    ...(response === undefined ? {} : { excerpt: response.slice(0, 200) }),
  };
}
