import * as contract from '@earshot/contract/collection-item';
import type { Pool } from '../../../platform/database/connect.ts';
import type { HttpApp } from '../../../platform/http/http-app.ts';
import { serve } from '../../../platform/http/serve.ts';
import { listItems } from './queries.ts';
import { addItem, deleteItem, readItem } from './rules.ts';

export function serveCollectionItems(http: HttpApp, db: Pool): void {
  serve(http, contract.addCollectionItem, ({ caller, params, body }) =>
    addItem(db, caller, { collectionID: params.collectionItemID, itemType: body.itemType, itemID: body.itemID }),
  );
  serve(http, contract.getCollectionItem, ({ caller, params }) => readItem(db, caller, params.collectionItemID));
  serve(http, contract.removeCollectionItem, ({ caller, params }) => deleteItem(db, caller, params.collectionItemID));
  serve(http, contract.listCollectionItems, ({ caller }) => listItems(db, caller));
}
