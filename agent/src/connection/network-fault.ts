/** The platform was not reached. Nothing is held against the recording that was sent, unless the platform answers. */
export class NetworkFault extends Error {
  override readonly name: string = 'NetworkFault';
  /** Whether the platform answers other requests: then something on the way is against this one alone. */
  platformAnswers = false;
}

/** Something on the way, such as a filter, is against this one request: others may go on. */
export const isAgainstOne = (error: unknown): boolean => error instanceof NetworkFault && error.platformAnswers;

/** Somebody else answered: a portal, a proxy, a filter. It is neither a success nor a refusal. */
export class NotThePlatform extends NetworkFault {
  override readonly name = 'NotThePlatform';
  readonly status: number;
  readonly host: string;

  constructor(status: number, host: string) {
    super(`the answer for ${host} with status ${status} comes from something on the way, not from the platform`);
    this.status = status;
    this.host = host;
  }
}

/** The platform took a recording, or said so, and does not prove with its key that it did. */
export class Unproven extends NetworkFault {
  override readonly name = 'Unproven';
}
