import * as contract from '@earshot/contract/clip-facts';
import { notFound } from '../../errors.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { OlderParts } from './older/older.ts';
import { changeOlder, readOlder } from './older/older.ts';
import { findFacts } from './queries.ts';

export function serveClipFacts(http: HttpApp, parts: OlderParts): void {
  const { db } = parts;
  serve(http, contract.getClipFacts, async ({ caller, params }) => {
    const facts = await findFacts(db, caller, params.audioClipID);
    if (!facts) throw notFound('audio clip', params.audioClipID);
    return facts;
  });
  serve(http, contract.getOlderClipFacts, () => readOlder(parts));
  serve(http, contract.changeOlderClipFacts, ({ body }) => changeOlder(parts, body.isEnabled));
}
