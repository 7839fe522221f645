import * as contract from '@earshot/contract/spoken-language';
import type { Pool } from '../../platform/database/connect.ts';
import type { HttpApp } from '../../platform/http/http-app.ts';
import { serve } from '../../platform/http/serve.ts';
import type { LanguageScope } from './queries.ts';
import { changeLanguages, readLanguages } from './rules.ts';

const installation: LanguageScope = { level: 'installation', key: null };
const device = (key: number): LanguageScope => ({ level: 'device', key });
const collection = (key: number): LanguageScope => ({ level: 'collection', key });

export function serveSpokenLanguages(http: HttpApp, db: Pool): void {
  serve(http, contract.getInstallationLanguages, ({ caller }) => readLanguages(db, caller, installation));
  serve(http, contract.setInstallationLanguages, ({ caller, body }) =>
    changeLanguages(db, caller, installation, body.languages),
  );
  serve(http, contract.getCollectionLanguages, ({ caller, params }) =>
    readLanguages(db, caller, collection(params.collectionID)),
  );
  serve(http, contract.setCollectionLanguages, ({ caller, params, body }) =>
    changeLanguages(db, caller, collection(params.collectionID), body.languages),
  );
  serve(http, contract.getDeviceLanguages, ({ caller, params }) => readLanguages(db, caller, device(params.deviceID)));
  serve(http, contract.setDeviceLanguages, ({ caller, params, body }) =>
    changeLanguages(db, caller, device(params.deviceID), body.languages),
  );
}
