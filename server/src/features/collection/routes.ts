import * as contract from '@earshot/contract/collection';
import * as pageContract from '@earshot/contract/collection-page';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { findCollectionCounts, findCollections, insertCollection } from './queries.ts';
import { eraseCollection, readCollection, editCollection } from './rules.ts';
import { findItemPage } from './item/pages.ts';
import { addManyItems, listItemsOf } from './item/rules.ts';

export function serveCollections(http: HttpApp, db: Pool): void {
  serveOnce(
    http,
    contract.createCollection,
    db,
    ({ caller, body }, within) => insertCollection(within, caller, body),
    ({ caller }, within, { key = 0 }) => readCollection(within, caller, key),
  );
  serve(http, contract.getCollection, ({ caller, params }) => readCollection(db, caller, params.collectionID));
  serve(http, contract.updateCollection, ({ caller, params, body }) =>
    editCollection(db, caller, params.collectionID, body),
  );
  serve(http, contract.deleteCollection, ({ caller, params }) => eraseCollection(db, caller, params.collectionID));
  serve(http, contract.listCollections, ({ caller }) => findCollections(db, caller));
  serve(http, contract.listItemsOfCollection, ({ caller, params }) => listItemsOf(db, caller, params.collectionID));
  serve(http, pageContract.listCollectionCounts, ({ caller }) => findCollectionCounts(db, caller));
  serve(http, pageContract.listCollectionItemPage, ({ caller, params, body }) =>
    findItemPage(db, caller, params.collectionID, body),
  );
  serve(http, pageContract.addCollectionItems, ({ caller, params, body }) =>
    addManyItems(db, caller, params.collectionID, body),
  );
}
