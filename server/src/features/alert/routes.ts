import * as contract from '@earshot/contract/alert';
import * as linkContract from '@earshot/contract/alert-link';
import * as allowanceContract from '@earshot/contract/rule-allowance';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';
import type { Storage } from '../../platform/storage/storage.ts';
import { allowAction, disallowAction, findAllowances } from './allowance/rules.ts';
import { acknowledgeAsLinked } from './link.ts';
import { serveReport } from './report/routes.ts';
import { findAlertPage, readAlert, reviseAlert, writeNote } from './rules.ts';

interface AlertParts {
  readonly db: Pool;
  readonly storage: Storage;
  readonly secretBox: SecretBox;
}

export function serveAlerts(http: HttpApp, parts: AlertParts): void {
  const { db } = parts;
  serve(http, contract.listRuleAlerts, ({ caller, body }) => findAlertPage(db, caller, body));
  serve(http, contract.getRuleAlert, ({ caller, params }) => readAlert(db, caller, params.alertID));
  serve(http, contract.updateRuleAlert, ({ caller, params, body }) => reviseAlert(db, caller, params.alertID, body));
  serveOnce(
    http,
    contract.addAlertNote,
    db,
    ({ caller, params, body }, within) => writeNote(within, caller, params.alertID, body.note),
    ({ caller, params }, within) => readAlert(within, caller, params.alertID),
  );
  serve(http, linkContract.acknowledgeByLink, ({ body }) => acknowledgeAsLinked(parts, body.token));
  serveReport(http, parts);
  serve(http, allowanceContract.listRuleAllowances, ({ caller }) => findAllowances(db, caller));
  serve(http, allowanceContract.allowRuleAction, ({ caller, params, body }) =>
    allowAction(db, caller, params.ruleID, body),
  );
  serve(http, allowanceContract.disallowRuleAction, ({ caller, params, query }) =>
    disallowAction(db, caller, params.ruleID, query.position),
  );
}
