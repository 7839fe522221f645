export interface NewEvent {
  readonly deviceID: number;
  readonly agentTypeID: number;
  readonly eventTypeID: number;
  readonly serverEvent: 0 | 1;
  readonly eventParameters: string;
  readonly priority: number;
  readonly expirationEpoch: number;
  readonly maxAttempts: number;
  readonly tagString: string | null;
  readonly tagNumber: number | null;
  readonly postbackURL?: string | null;
}
