import * as contract from '@earshot/contract/saved-search';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { listSearches } from './queries.ts';
import { changeSearch, deleteSearch, readSearch, saveSearch } from './rules.ts';

export function serveSavedSearches(http: HttpApp, db: Pool): void {
  serveOnce(
    http,
    contract.createSavedSearch,
    db,
    ({ caller, body }, within) => saveSearch(within, caller, body),
    ({ caller }, within, { key = 0 }) => readSearch(within, caller, key),
  );
  serve(http, contract.listSavedSearches, ({ caller }) => listSearches(db, caller));
  serve(http, contract.getSavedSearch, ({ caller, params }) => readSearch(db, caller, params.savedSearchID));
  serve(http, contract.updateSavedSearch, ({ caller, params, body }) =>
    changeSearch(db, caller, params.savedSearchID, body),
  );
  serve(http, contract.deleteSavedSearch, ({ caller, params }) => deleteSearch(db, caller, params.savedSearchID));
}
