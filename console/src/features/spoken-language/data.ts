import type { LanguageSetting } from '@earshot/contract/spoken-language';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';
import { refresh } from '../../lib/query.ts';

export type SpokenIn = { readonly deviceID: number } | { readonly collectionID: number } | 'installation';

const keyOf = (scope: SpokenIn): string => `languages ${JSON.stringify(scope)}`;

export const languagesOf = (scope: SpokenIn): Query<LanguageSetting> => ({
  key: keyOf(scope),
  load: () => {
    if (scope === 'installation') return api.getInstallationLanguages();
    if ('deviceID' in scope) return api.getDeviceLanguages({ params: scope });
    return api.getCollectionLanguages({ params: scope });
  },
});

export async function saveLanguages(scope: SpokenIn, languages: string[]): Promise<void> {
  const body = { languages };
  if (scope === 'installation') await api.setInstallationLanguages({ body });
  else if ('deviceID' in scope) await api.setDeviceLanguages({ params: scope, body });
  else await api.setCollectionLanguages({ params: scope, body });
  // What one scope has set, others follow.
  refresh(['languages']);
}
