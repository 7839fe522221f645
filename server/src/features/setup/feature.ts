import type { Feature } from '../../feature.ts';
import { serveSetup } from './routes.ts';
import { prepareFirstAccount, requireSecretKey } from './rules.ts';

export const setup: Feature = {
  prepare: ({ db, secretBox }) => requireSecretKey(db, secretBox),
  async open(parts) {
    const { role, admin } = parts.config;
    return role === 'worker' ? {} : { setupToken: (await prepareFirstAccount(parts, admin))?.setupToken };
  },
  routes: serveSetup,
};
