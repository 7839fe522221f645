/** What is known about a clip, for the rules. A fact that is not known is undefined: unknown is not false. */
export interface KnownFacts {
  readonly key: number;
  readonly deviceID: number;
  readonly startMs: number;
  readonly endMs: number | undefined;
  /** The words of its transcript as they are compared; undefined: it is not transcribed. */
  readonly text: string | undefined;
  /** The greatest confidence of each tag, by its name in lower case; without the tags that rules put. */
  readonly tags: ReadonlyMap<string, number>;
  /** Whether its present sound was labelled, so that it is known which tags it does not have. */
  readonly isLabelled: boolean;
  /** Whether its sound is on the server, or was until retention removed it. */
  readonly hadSound: boolean;
  readonly isSilent: boolean | undefined;
  readonly speechSeconds: number | undefined;
  readonly levelDb: number | undefined;
  readonly clippedPercent: number | undefined;
  /** Undefined: it is no radio call. */
  readonly call: RadioFacts | undefined;
  /** Of its device. */
  readonly timeZone: string | undefined;
}

interface RadioFacts {
  readonly talkgroup: number;
  readonly units: readonly number[];
  readonly isEmergency: boolean;
}
