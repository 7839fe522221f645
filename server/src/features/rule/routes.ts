import * as contract from '@earshot/contract/rule';
import * as matchContract from '@earshot/contract/rule-match';
import * as trialContract from '@earshot/contract/rule-trial';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serveOnce } from '../../platform/http/serve-once.ts';
import { serve } from '../../platform/http/serve.ts';
import { explainMatch } from './explain/explain.ts';
import { findMatchPage } from './match/pages.ts';
import type { RunningTrials } from './trial/trial.ts';
import { runTrial } from './trial/trial.ts';
import {
  changeMute,
  addRule,
  countRulesOfOthers,
  changeRule,
  eraseRule,
  findRules,
  findVersionsOf,
  readRule,
} from './rules.ts';

export function serveRules(http: HttpApp, db: Pool, stateDays: number): void {
  const trials: RunningTrials = new Map();
  serve(http, trialContract.tryRule, ({ caller, body }) => runTrial(db, trials, caller, body, stateDays));
  serve(http, trialContract.explainRule, ({ caller, body }) => explainMatch(db, caller, body, stateDays));
  serve(http, matchContract.listRuleMatches, ({ caller, body }) => findMatchPage(db, caller, body));
  serveOnce(
    http,
    contract.createRule,
    db,
    ({ caller, body }, within) => addRule(within, caller, body),
    ({ caller }, within, { key = 0 }) => readRule(within, caller, key),
  );
  serve(http, contract.listRules, ({ caller, query }) => findRules(db, caller, query));
  serve(http, contract.getRule, ({ caller, params }) => readRule(db, caller, params.ruleID));
  serve(http, contract.updateRule, ({ caller, params, body }) => changeRule(db, caller, params.ruleID, body));
  serve(http, contract.deleteRule, ({ caller, params }) => eraseRule(db, caller, params.ruleID));
  serve(http, contract.listRuleHistory, ({ caller, params }) => findVersionsOf(db, caller, params.ruleID));
  serve(http, contract.countWatchingRules, ({ caller, params }) => countRulesOfOthers(db, caller, params.deviceID));
  serve(http, contract.muteRule, ({ caller, params, body }) => changeMute(db, caller, params.ruleID, body));
}
