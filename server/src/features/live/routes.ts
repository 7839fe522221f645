import type { LiveKind } from '@earshot/contract/live';
import { listenToChanges, usualLiveKinds } from '@earshot/contract/live';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveStream } from '../../platform/http/serve-stream.ts';
import { readPosition } from './position.ts';
import type { LiveStreams } from './streams.ts';

export function serveLive(http: HttpApp, streams: LiveStreams): void {
  serveStream(http, listenToChanges, ({ caller, headers, query }) => {
    // A browser that reconnects repeats its first query; its Last-Event-ID header is newer.
    const last = headers['last-event-id'] ?? query.lastEventID;
    const kinds = query.kinds === undefined ? usualLiveKinds : (query.kinds.split(',') as LiveKind[]);
    return streams.open(caller, last === undefined ? undefined : readPosition(last), new Set(kinds));
  });
}
