import { defineFeature } from '../../feature.ts';
import { sweepMs } from '../../platform/database/expired-rows.ts';
import { startSweep } from '../../platform/loop.ts';
import { sweepSetupTokens } from './queries.ts';
import { serveSetup } from './routes.ts';
import { prepareFirstAccount, requireSecretKey } from './rules.ts';

export const setup = defineFeature({
  name: 'setup',
  needs: ['cluster', 'config', 'db', 'log', 'passwords', 'secretBox'],
  prepare: ({ db, secretBox }) => requireSecretKey(db, secretBox),
  async open(parts) {
    const { role, admin } = parts.config;
    return role === 'worker' ? {} : { setupToken: (await prepareFirstAccount(parts, admin))?.setupToken };
  },
  loops: ({ db, log }) => [startSweep('setup token sweep', sweepMs, () => sweepSetupTokens(db), log)],
  routes: serveSetup,
  passingTables: ['setup_tokens'],
});
