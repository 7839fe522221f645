/** The platform's event that this agent holds, as it was taken. */
export interface HeldEvent {
  readonly eventID: number;
  readonly takeID: string;
  readonly processID: number;
}

/** An event whose end another process reports. */
export type PendingEvent = PendingUpdate | PendingReboot;

export interface PendingUpdate extends HeldEvent {
  readonly kind: 'update';
  /** The hashes of the versions. */
  readonly from: string;
  readonly to: string;
  readonly fromVersion: string;
  readonly toVersion: string;
}

export interface PendingReboot extends HeldEvent {
  readonly kind: 'reboot';
  /** The system's id of the time since its start, before it was restarted. */
  readonly bootID: string;
}
