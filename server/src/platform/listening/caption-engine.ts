import type { Log } from '../log.ts';
import { createEmbeddedEngine, createVoiceGate } from './embedded-engine.ts';
import type { CaptionEngine } from './engine.ts';
import { createModelStore } from './models/model-store.ts';
import type { RemoteKind } from './remote/adapters.ts';
import { remoteKinds } from './remote/adapters.ts';
import { createRemoteEngine } from './remote/remote-engine.ts';
import type { ThirdListen } from './third-listen.ts';
import { decideThirdListen } from './third-listen.ts';

export const captionEngineKinds = ['moonshine', 'whisper', ...remoteKinds] as const;
export type CaptionEngineKind = (typeof captionEngineKinds)[number];

export interface CaptionSettings {
  readonly kind: CaptionEngineKind;
  /** The folder of the models of the embedded engines. */
  readonly modelFolder: string;
  /** False if the operator puts the models there by other means. */
  readonly mayFetchModels: boolean;
  /** Whether the accurate model transcribes stretches that stay unsure (third-listen.ts); off if not set. */
  readonly thirdListen?: ThirdListen | undefined;
  /** How many clips are transcribed at once. */
  readonly atOnce: number;
  /** The address of a remote server. */
  readonly url?: string | undefined;
  readonly key?: string | undefined;
  readonly model?: string | undefined;
}

const isRemote = (kind: CaptionEngineKind): kind is RemoteKind => remoteKinds.some((known) => known === kind);

/** What is wrong with the settings, if anything; never contains the key. */
export function findCaptionFault({ kind, url }: Pick<CaptionSettings, 'kind' | 'url'>): string | undefined {
  if (!isRemote(kind)) return undefined;
  if (url === undefined || url === '') return `the engine ${kind} needs the address of its server`;
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (!parsed || !['http:', 'https:'].includes(parsed.protocol))
    return 'the address of the server must be an http or https URL';
  if (parsed.username !== '' || parsed.password !== '')
    return 'the address of the server must not contain a user name or a password';
  return undefined;
}

/** Creates the engine that the settings select. Nothing is started or fetched before it is needed. */
export function createCaptionEngine(settings: CaptionSettings, log: Log): CaptionEngine {
  const { kind, url, key, model, atOnce: processes } = settings;
  const fault = findCaptionFault(settings);
  if (fault !== undefined) throw new Error(fault);
  const models = createModelStore({ folder: settings.modelFolder, log, mayFetch: settings.mayFetchModels });
  if (!isRemote(kind))
    return createEmbeddedEngine({
      profile: kind,
      models,
      log,
      processes,
      thirdListen: decideThirdListen(settings, log),
    });
  const gate = createVoiceGate({ models, log });
  return createRemoteEngine({ kind, url: url!, key, model, gate, calls: processes });
}
