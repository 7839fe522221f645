import type { LiveChangeName, LiveKind } from '@earshot/contract/live-change';
import { changesOfKinds } from '@earshot/contract/live-change';
import { listenToChanges, usualLiveKinds } from '@earshot/contract/live';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveStream } from '../../platform/http/serve-stream.ts';
import type { Wanted } from './listener.ts';
import { readPosition } from './position.ts';
import type { LiveStreams } from './streams.ts';

export function serveLive(http: HttpApp, streams: LiveStreams): void {
  serveStream(http, listenToChanges, ({ caller, headers, query }) => {
    // A browser that reconnects repeats its first query; its Last-Event-ID header is newer.
    const last = headers['last-event-id'] ?? query.lastEventID;
    return streams.open(caller, last === undefined ? undefined : readPosition(last), readWanted(query));
  });
}

function readWanted({ kinds, changes }: { readonly kinds?: string; readonly changes?: string }): Wanted {
  if (changes !== undefined) return { changes: new Set(changes.split(',') as LiveChangeName[]), isNamed: true };
  const named = kinds === undefined ? usualLiveKinds : (kinds.split(',') as LiveKind[]);
  return { changes: changesOfKinds(named), isNamed: false };
}
