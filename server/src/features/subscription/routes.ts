import * as contract from '@earshot/contract/subscription';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import type { Live } from '../live/public.ts';
import { selectSubscriptions } from './queries.ts';
import { addSubscription, eraseSubscription, readSubscription } from './rules.ts';

interface SubscriptionParts {
  readonly db: Pool;
  readonly changes: Live['changes'];
}

export function serveSubscriptions(http: HttpApp, { db, changes }: SubscriptionParts): void {
  serveOnce(
    http,
    contract.createSubscription,
    db,
    ({ caller, body }, within) => addSubscription(within, changes, caller, body),
    ({ caller }, within, { key = 0 }) => readSubscription(within, caller, key),
  );
  serve(http, contract.listSubscriptions, ({ caller }) => selectSubscriptions(db, caller));
  serve(http, contract.getSubscription, ({ caller, params }) => readSubscription(db, caller, params.subscriptionID));
  serve(http, contract.deleteSubscription, ({ caller, params }) =>
    eraseSubscription(db, caller, params.subscriptionID),
  );
}
