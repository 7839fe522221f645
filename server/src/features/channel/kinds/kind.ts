import type { Readable } from 'node:stream';
import type { DeliveryKind } from '@earshot/contract/delivery';
import type { RuleSeverity } from '@earshot/contract/rule';
import type { FieldError } from '@earshot/contract/validation';
import type { ChannelSettings } from '@earshot/contract/channel';
import type { SecretBox } from '../../../platform/secrets/secret-box.ts';
import type { MqttConfig } from '../../../platform/mqtt/mqtt-config.ts';
import type { MailConfig } from './mail-config.ts';
import type { Outbound } from '../../../platform/outbound/outbound.ts';

/** Sound that goes with a message. */
export interface ToldSound {
  readonly name: string;
  readonly contentType: string;
  /** Its bytes; the stream fails if the store does not give exactly these. */
  read(): Readable;
}

/** The sound of the alert's first clips, if the owner of the channel chose so, of those that the recipient may read. */
export interface ToldSounds {
  readonly attached: readonly ToldSound[];
  /** Clips whose sound is not attached, with the reason. */
  readonly left: readonly { readonly audioClipID: number; readonly why: string; readonly url?: string }[];
}

/** What is sent, made when it is sent: with what the recipient may know at that moment. */
export interface ToldMessage {
  /** The same in every attempt. */
  readonly messageID: string;
  readonly kind: DeliveryKind;
  /** When people were told, by the platform's clock. */
  readonly date: Date;
  readonly severity: RuleSeverity;
  readonly channelID: number;
  readonly rule?: { readonly key: number; readonly name: string };
  readonly alert?: {
    readonly key: number;
    readonly state: string;
    readonly startMs: number;
    /** None of its matches holds any more. */
    readonly isWithdrawn: boolean;
    /** Of a rule about a state: it has ended on all devices. */
    readonly hasEnded?: boolean;
  };
  /** For how long nobody had acknowledged the alert, if that is why it is sent. */
  readonly waitedSeconds?: number;
  /** If the recipient may know it. */
  readonly device?: { readonly key: number; readonly name: string };
  /** Of a rule about a state: how many devices are in the alert beside that one. */
  readonly otherDevices?: number;
  readonly audioClipID?: number;
  /** What is said, if the rule's owner chose so and the recipient may know it. */
  readonly words?: string;
  readonly sounds?: ToldSounds;
  /** Of a digest: how many messages each rule held back. */
  readonly held?: readonly { readonly ruleName: string; readonly count: number }[];
  /** Of a message of the kind `change`. */
  readonly changes?: ToldChanges;
  /** The page of the alert, if the platform knows its address. */
  readonly url?: string;
  /** Where the one person whom the message is for acknowledges the alert, and the token in that address. */
  readonly acknowledgeURL?: string;
  readonly acknowledgeToken?: string;
}

/** What a subscription tells of. */
export interface ToldChanges {
  /** Of the change; of several `changes`; `reset` if some were missed. */
  readonly type: string;
  /** When it happened, if it is one. */
  readonly date?: Date;
  readonly data: Readonly<Record<string, unknown>>;
  /** In plain text, for people. */
  readonly title: string;
  readonly lines: readonly string[];
}

/** What kinds send with. */
export interface Means {
  readonly outbound: Outbound;
  /** The mail server of the operator. */
  readonly mail: MailConfig | undefined;
  /** The MQTT broker of the operator. */
  readonly mqtt: MqttConfig | undefined;
}

/** What a kind may use to send a message. */
export interface Carrier extends Means {
  readonly signal: AbortSignal;
  readonly attemptMs: number;
  /** Seconds since 1970, of this attempt. */
  readonly epoch: number;
  /** Of the channel's owner. */
  readonly postbackSecret: () => string;
  readonly publicOrigin: string | undefined;
  readonly secretBox: SecretBox;
}

/**
 * - accepted: the other side has it
 * - later: it may succeed when it is repeated
 * - refused: repeating it changes nothing
 * - gone: nothing can be sent there any more
 */
export interface SendAnswer {
  readonly outcome: 'accepted' | 'later' | 'refused' | 'gone';
  readonly status?: number | undefined;
  /** A sentence for the owner of the channel. It holds nothing of what was sent. */
  readonly said: string;
  /** The beginning of what was answered, for admins. */
  readonly excerpt?: string;
  readonly retryAfterSeconds?: number | undefined;
  /** The platform could not make the message: the channel is not to blame. */
  readonly isOurFault?: boolean;
}

/** Where messages of a channel go, which decides what they may say. */
export type ChannelReach = 'outside' | 'owner' | { readonly email: string };

/** A way to tell people or programs. */
export interface ChannelKind {
  /** What is wrong with the settings beside what their declaration says; paths are names of settings. */
  check(settings: ChannelSettings, means: Means): readonly FieldError[];
  reach(settings: ChannelSettings): ChannelReach;
  /** Whether it goes to servers that are not the operator's. */
  readonly isThirdParty: boolean;
  /** Whether a program follows the state of alerts, and is told when a person dealt with one. */
  readonly followsState: boolean;
  /** Whether a person reads the messages, so that they are limited by the hour. */
  readonly isRead: boolean;
  /** Throws an OutboundError if there is no answer. */
  send(message: ToldMessage, settings: ChannelSettings, carrier: Carrier): Promise<SendAnswer>;
}
