/** The mail server of the operator. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS if the server offers it, which a login requires. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly from: string;
}

/** Faults never repeat the URL: it may hold a password. */
export function readMail(
  environment: Readonly<Record<string, string | undefined>>,
  faults: string[],
): MailConfig | undefined {
  const given = environment['EARSHOT_SMTP_URL']?.trim() ?? '';
  const from = environment['EARSHOT_MAIL_FROM']?.trim() ?? '';
  if (given === '' && from === '') return undefined;
  const url = URL.canParse(given) ? new URL(given) : undefined;
  if (!url || !['smtp:', 'smtps:'].includes(url.protocol) || url.hostname === '')
    faults.push('EARSHOT_SMTP_URL must be such as smtp://user:password@mail.example.org:587 or smtps://…');
  if (!/^[^\s@<>"]+@[^\s@<>"]+$/.test(from))
    faults.push('EARSHOT_MAIL_FROM must be the address that messages come from, such as earshot@example.org');
  if (!url) return undefined;
  const isSecure = url.protocol === 'smtps:';
  const user = decodeURIComponent(url.username);
  return {
    host: url.hostname.replace(/^\[(.*)\]$/, '$1'),
    port: url.port === '' ? (isSecure ? 465 : 587) : Number(url.port),
    isSecure,
    login: user === '' ? undefined : { user, pass: decodeURIComponent(url.password) },
    from,
  };
}
