import type { OpenApiDocument } from '@earshot/contract/openapi-document';
import type { Validator } from '@earshot/contract/validation';
import type { Config } from './config.ts';
import type { SpeechEngines } from './features/caption/engine/engines.ts';
import type { RunningEngines } from './features/caption/engine/running-engines.ts';
import type { FileAddresses } from './features/file/file-address.ts';
import type { FindDownloadName, RemoveFormerSound } from './features/file/rules.ts';
import type { Live } from './features/live/public.ts';
import type { PageFile } from './features/pages/page-file.ts';
import type { OrderCaptions, RemoveCaptions } from './features/audio-clip/public.ts';
import type { RecordUse } from './features/caller/public.ts';
import type { DeviceRemoval } from './features/device/public.ts';
import type { OnUserDisabled } from './features/user/public.ts';
import type { LiveRecord } from './platform/changes/live-record.ts';
import type { Cluster } from './platform/cluster.ts';
import type { Pool } from './platform/database/connect.ts';
import type { DatabaseWatch } from './platform/database/database-watch.ts';
import type { PositionWatch } from './platform/database/position-watch.ts';
import type { RefusedConnections } from './platform/database/refused-connections.ts';
import type { JobKind } from './platform/events/jobs.ts';
import type { HttpApp, HttpOptions } from './platform/http/http-app.ts';
import type { Metrics } from './platform/http/door/metrics.ts';
import type { RateLimit } from './platform/http/door/rate-limit.ts';
import type { Log } from './platform/log.ts';
import type { SharedMedia } from './platform/media/limited-media.ts';
import type { Outbound } from './platform/outbound/outbound.ts';
import type { Passwords } from './platform/secrets/passwords.ts';
import type { SecretBox } from './platform/secrets/secret-box.ts';
import type { Scratch } from './platform/storage/scratch.ts';
import type { Storage } from './platform/storage/storage.ts';
import type { WriteWatch } from './platform/writes/write-watch.ts';
import type { WriteChanges } from './features/channel/public.ts';
import type { HeldEvents, ShippedAgent } from './features/agent/public.ts';
import type { ReadLog } from './features/audit/public.ts';
import type { UseLog } from './features/caller/public.ts';
import type { CallingParts } from './features/event/public.ts';
import type { MatchFollower } from './features/rule/public.ts';

/*
 * What a feature brings to a node. A feature has a manifest, `features/<noun>/feature.ts`, and its parts may have their
 * own; features.ts lists them. app.ts and node.ts go through that list, so nothing is wired by hand: deleting a feature's
 * folder and its lines in the list deletes the feature.
 */

/** What the platform provides to every feature of a node. */
export interface Resources {
  readonly config: Config;
  readonly log: Log;
  /** Of this build of the server. */
  readonly version: string;
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly secretBox: SecretBox;
  readonly passwords: Passwords;
  readonly storage: Storage;
  readonly scratch: Scratch;
  readonly media: SharedMedia;
  readonly outbound: Outbound;
  readonly metrics: Metrics;
  readonly rateLimit: RateLimit;
  readonly writes: WriteWatch;
  readonly refusedConnections: RefusedConnections;
  readonly databaseWatch: DatabaseWatch;
  readonly positionWatch: PositionWatch;
  /** Whether the node drains or stops. */
  readonly isStopping: () => boolean;
  /** Made at the first call. */
  readonly openApiDocument: () => OpenApiDocument;
  readonly validator: Validator;
  readonly pagesDir: string;
  readonly consoleDir: string;
  readonly docsDir: string;
  /** The folder of the agent that this node ships; undefined: it ships none. */
  readonly agentDir: string | undefined;
  /** The speech engines to use instead of those that the settings choose. */
  readonly engines: SpeechEngines | undefined;
  /** Of all features, in the order of the list. */
  readonly liveRecords: readonly LiveRecord[];
  readonly deviceRemovals: readonly DeviceRemoval[];
  readonly userDisabled: readonly OnUserDisabled[];
  readonly useRecorders: readonly RecordUse[];
}

/** What one feature starts and others use. */
export interface Services {
  readonly useLog: UseLog;
  readonly readLog: ReadLog;
  readonly events: CallingParts;
  readonly heldEvents: HeldEvents;
  readonly orderCaptions: OrderCaptions;
  readonly removeCaptions: RemoveCaptions;
  readonly removeFormerSound: RemoveFormerSound;
  readonly fileAddresses: FileAddresses;
  readonly findExportName: FindDownloadName;
  readonly live: Live;
  readonly matchFollower: MatchFollower;
  /** What channels tell of changes. */
  readonly writeChanges: WriteChanges;
  /** Undefined if captions are switched off, and on a node that runs no jobs. */
  readonly listening: RunningEngines | undefined;
  /** On the first start without a configured admin: the token of the one-time link. */
  readonly setupToken: string | undefined;
  readonly pages: readonly PageFile[];
  /** Undefined if the agent is not built, or its bytes cannot be stored. */
  readonly shipped: ShippedAgent | undefined;
}

/** Everything that a feature can name in `needs`. */
export interface Parts extends Resources, Services {
  /** The jobs of all features; none on a node that runs no jobs. */
  readonly jobKinds: readonly JobKind[];
}

export type Stop = () => Promise<unknown>;

export type Opened = Partial<Services> & { readonly stop?: Stop };

/** How a feature takes part in every request. */
export type HttpHooks = Pick<HttpOptions, 'authenticator' | 'answerOnce' | 'afterChange' | 'answerNavigation'>;

/** `Need` names the parts that the feature uses; it sees no others. */
export interface Feature<Need extends keyof Parts = keyof Parts> {
  /** The noun of its folder. */
  readonly name: string;
  readonly needs: readonly Need[];
  /** Inserts the rows that the feature needs to exist. */
  readonly prepare?: (resources: Pick<Parts, Need>) => Promise<void>;
  /** Starts services, in the order of the list: the services of earlier features are available. */
  readonly open?: (parts: Pick<Parts, Need>) => Promise<Opened> | Opened;
  readonly hooks?: (parts: Pick<Parts, Need>) => Partial<HttpHooks>;
  readonly routes?: (http: HttpApp, parts: Pick<Parts, Need>) => void;
  /** Work that the platform itself does. */
  readonly jobs?: (parts: Pick<Parts, Need>) => readonly JobKind[];
  /** Starts background work; each entry stops some of it. */
  readonly loops?: (parts: Pick<Parts, Need>) => readonly Stop[] | Promise<readonly Stop[]>;
  readonly metrics?: (metrics: Metrics, parts: Pick<Parts, Need>) => readonly Stop[];
  readonly liveRecords?: readonly LiveRecord[];
  /** What is done with the feature's records of a device that is removed. */
  readonly deviceRemoval?: DeviceRemoval;
  /** What is done with the feature's records of a person who is disabled. */
  readonly userDisabled?: OnUserDisabled;
  /** Tables whose rows a backup leaves out: they mean nothing in a restored installation. */
  readonly passingTables?: readonly string[];
  /** Writes when the credentials of the feature were used last. */
  readonly recordUse?: RecordUse;
  /** Ends requests that would stay open while the node stops. */
  readonly endRequests?: (parts: Pick<Parts, Need>) => void;
}

/** Infers `Need` from the list, so that the compiler knows which parts the functions of the feature see. */
export const defineFeature = <const Need extends keyof Parts = never>(feature: Feature<Need>): Feature<Need> => feature;
