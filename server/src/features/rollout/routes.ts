import * as contract from '@earshot/contract/rollout';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { RolloutParts } from './advance.ts';
import { listReadableRollouts } from './queries.ts';
import { haltRollout, readRolloutOf, resumeRollout, startRollout, revertRollout } from './rules.ts';

export function serveRollouts(http: HttpApp, parts: RolloutParts): void {
  const { db } = parts;
  serve(http, contract.createRollout, ({ caller, body }) => startRollout(parts, caller, body));
  serve(http, contract.listRollouts, ({ caller }) => listReadableRollouts(db, caller));
  serve(http, contract.getRollout, ({ caller, params }) => readRolloutOf(db, caller, params.rolloutID));
  serve(http, contract.stopRollout, ({ caller, params }) => haltRollout(parts, caller, params.rolloutID));
  serve(http, contract.continueRollout, ({ caller, params }) => resumeRollout(parts, caller, params.rolloutID));
  serve(http, contract.takeBackRollout, ({ caller, params }) => revertRollout(parts, caller, params.rolloutID));
}
