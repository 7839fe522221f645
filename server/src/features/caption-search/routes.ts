import * as contract from '@earshot/contract/caption-search';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import { runSearch, searchFacets } from './search.ts';

export function serveCaptionSearch(http: HttpApp, db: Pool): void {
  serve(http, contract.searchCaptions, ({ caller, body, query }) => runSearch(db, caller, body, query));
  serve(http, contract.searchCaptionFacets, ({ caller, body }) => searchFacets(db, caller, body));
}
