/** The mail server of the operator. */
export interface MailConfig {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; else by STARTTLS if the server offers it, which a login requires. */
  readonly isSecure: boolean;
  readonly login: { readonly user: string; readonly pass: string } | undefined;
  readonly from: string;
}
