import { defineFeature } from '../../feature.ts';
import { sweepMs } from '../../platform/database/expired-rows.ts';
import { startSweep } from '../../platform/loop.ts';
import { createAnswerOnce } from './answer-once.ts';
import { sweepAnswers } from './queries.ts';

/** Requests that may be sent again, because they are done once. */
export const idempotencyKey = defineFeature({
  name: 'idempotency-key',
  needs: ['db', 'log', 'secretBox'],
  hooks: (parts) => ({ answerOnce: createAnswerOnce(parts) }),
  loops: ({ db, log }) => [startSweep('idempotency sweep', sweepMs, () => sweepAnswers(db), log)],
  passingTables: ['idempotent_answers'],
});
