import type { OpenApiDocument } from '@earshot/contract/openapi-document';
import { operationList } from '@earshot/contract/operations';
import { serveAgents } from './features/agent/routes.ts';
import { serveAgentTypes } from './features/agent-type/routes.ts';
import { serveApiKeys } from './features/api-key/routes.ts';
import { serveAudioClips } from './features/audio-clip/routes.ts';
import { createAuthenticator } from './features/caller/rules.ts';
import type { UseLog } from './features/caller/use-log.ts';
import { serveCaptions } from './features/caption/routes.ts';
import { serveCaptionSearch } from './features/caption-search/routes.ts';
import { serveCollections } from './features/collection/routes.ts';
import { serveCollectionItems } from './features/collection-item/routes.ts';
import { serveDevices } from './features/device/routes.ts';
import type { HeldEvents } from './features/agent/rules.ts';
import { serveEvents } from './features/event/routes.ts';
import { serveEventPages } from './features/event-page/routes.ts';
import type { EventParts } from './features/event/rules.ts';
import { serveEventPresets } from './features/event-preset/routes.ts';
import { serveEventTypes } from './features/event-type/routes.ts';
import { serveFiles } from './features/file/routes.ts';
import type { SoundParts } from './features/file/rules.ts';
import { createUploadAddresses } from './features/file/upload-address.ts';
import { serveJoining } from './features/join/routes.ts';
import { serveLive } from './features/live/routes.ts';
import type { Live } from './features/live/live.ts';
import type { PageFile } from './features/pages/files.ts';
import { answerNavigations, servePages } from './features/pages/routes.ts';
import { servePostbacks } from './features/postback/routes.ts';
import { serveSavedSearches } from './features/saved-search/routes.ts';
import { serveService } from './features/service/routes.ts';
import { serveSessions } from './features/session/routes.ts';
import { serveSetup } from './features/setup/routes.ts';
import { serveTags } from './features/tag/routes.ts';
import { serveSound } from './features/sound/routes.ts';
import { serveUsers } from './features/user/routes.ts';
import type { Cluster } from './platform/cluster.ts';
import type { Pool } from './platform/database/connect.ts';
import type { HttpApp } from './platform/http/app.ts';
import { createHttpApp, requireWholeContract } from './platform/http/app.ts';
import type { Metrics } from './platform/http/metrics.ts';
import type { RateLimit } from './platform/http/rate-limit.ts';
import type { Log } from './platform/log.ts';
import type { Passwords } from './platform/secrets/passwords.ts';
import type { SecretBox } from './platform/secrets/secret-box.ts';

export interface AppParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
  readonly useLog: UseLog;
  readonly events: EventParts;
  readonly heldEvents: HeldEvents;
  readonly live: Live;
  readonly log: Log;
  readonly metrics: Metrics;
  readonly rateLimit: RateLimit;
  readonly trustProxy: readonly string[];
  readonly publicOrigin: string | undefined;
  readonly bodyIdleMs: number;
  readonly files: SoundParts;
  /** The engines that captions can be asked of. */
  readonly captionKinds: readonly string[];
  readonly openApiDocument: OpenApiDocument;
  readonly pages: readonly PageFile[];
}

/** Puts the features behind the front door. Fails when the contract and the routes do not agree. */
export async function createApp(parts: AppParts): Promise<HttpApp> {
  const { db } = parts;
  const authenticator = createAuthenticator(parts);
  const afterChange = parts.live.noteChange;
  const answerNavigation = answerNavigations(parts.pages, parts);
  const http = createHttpApp({ ...parts, authenticator, afterChange, answerNavigation, operations: operationList });
  serveSetup(http, parts);
  serveSessions(http, parts);
  serveUsers(http, parts);
  serveApiKeys(http, parts);
  serveDevices(http, parts);
  serveCollections(http, db);
  serveCollectionItems(http, db);
  serveAgentTypes(http, db);
  serveAgents(http, db, parts.heldEvents);
  serveEventTypes(http, db);
  serveEvents(http, parts.events);
  serveEventPages(http, db);
  serveEventPresets(http, parts.events);
  serveAudioClips(http, { events: parts.events, sounds: parts.files, log: parts.log });
  serveCaptionSearch(http, db);
  serveSavedSearches(http, db);
  serveTags(http, db);
  const addresses = createUploadAddresses(parts.secretBox);
  serveFiles(http, { ...parts.files, addresses, publicOrigin: parts.publicOrigin });
  serveSound(http, { ...parts.files, wakeups: parts.events.wakeups });
  serveJoining(http, parts.events);
  serveCaptions(http, { events: parts.events, usableKinds: parts.captionKinds });
  servePostbacks(http, db);
  serveLive(http, parts.live.streams);
  serveService(http, parts);
  servePages(http, parts.pages);
  requireWholeContract(http);
  await http.fastify.ready();
  return http;
}

/** What a process that only works answers: how it is, to whoever keeps it running. */
export async function createWorkerApp(parts: AppParts): Promise<HttpApp> {
  const operations = operationList.filter(([, { resource }]) => resource === 'service');
  const http = createHttpApp({
    ...parts,
    authenticator: createAuthenticator(parts),
    afterChange: () => {},
    operations,
  });
  serveService(http, parts);
  requireWholeContract(http);
  await http.fastify.ready();
  return http;
}
