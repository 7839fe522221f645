import type { AddressInfo } from 'node:net';
import { SMTPServer } from 'smtp-server';

export interface ReceivedMail {
  readonly from: string;
  readonly to: readonly string[];
  /** As it came, header lines and body. */
  readonly raw: string;
}

export interface MailServer {
  readonly port: number;
  readonly mails: ReceivedMail[];
  /** What the next mails are answered with instead of being taken. */
  readonly refusals: { code: number; text: string }[];
  stop(): Promise<void>;
}

/** A real SMTP server on this machine. */
export async function openMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  const refusals: { code: number; text: string }[] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    onData(stream, { envelope }, done) {
      let raw = '';
      stream.on('data', (piece: Buffer) => (raw += piece.toString()));
      stream.on('end', () => {
        const refusal = refusals.shift();
        if (refusal) return done(Object.assign(new Error(refusal.text), { responseCode: refusal.code }));
        const from = envelope.mailFrom === false ? '' : envelope.mailFrom.address;
        mails.push({ from, to: envelope.rcptTo.map(({ address }) => address), raw });
        done();
      });
    },
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { port: (server.server.address() as AddressInfo).port, mails, refusals, stop };
}
