import type { Feature } from './feature.ts';

/*
 * Every manifest of the server, one line each: a feature is its folder and its lines here.
 */

/** Served by every node, also by one that only works. */
export const serviceFeatures: readonly Feature[] = [(await import('./features/service/feature.ts')).service];

/**
 * In the order in which they start; they stop in the opposite order. Those with records of devices are in the order of
 * locks (docs/decisions/0020), because that is the order in which they lock these when a device is removed.
 */
export const features: readonly Feature[] = [
  (await import('./features/setup/feature.ts')).setup,
  (await import('./features/caller/feature.ts')).caller,
  (await import('./features/idempotency-key/feature.ts')).idempotencyKey,
  (await import('./features/audit/feature.ts')).audit,
  (await import('./features/audit/log/feature.ts')).auditLog,
  (await import('./features/session/feature.ts')).session,
  (await import('./features/user/feature.ts')).user,
  (await import('./features/api-key/feature.ts')).apiKey,
  (await import('./features/upload-key/feature.ts')).uploadKey,
  (await import('./features/device/feature.ts')).device,
  (await import('./features/agent/feature.ts')).agent,
  (await import('./features/agent/release/feature.ts')).agentRelease,
  (await import('./features/event/feature.ts')).event,
  (await import('./features/audio-clip/feature.ts')).audioClip,
  (await import('./features/file/feature.ts')).file,
  (await import('./features/collection/feature.ts')).collection,
  (await import('./features/collection/item/feature.ts')).collectionItem,
  (await import('./features/collection/right/feature.ts')).right,
  (await import('./features/event-preset/feature.ts')).eventPreset,
  (await import('./features/agent/installation/feature.ts')).installation,
  (await import('./features/rollout/feature.ts')).rollout,
  (await import('./features/device-health/feature.ts')).deviceHealth,
  (await import('./features/device/position/feature.ts')).devicePosition,
  (await import('./features/device/page/feature.ts')).devicePage,
  (await import('./features/spoken-language/feature.ts')).spokenLanguage,
  (await import('./features/log-message/feature.ts')).logMessage,
  (await import('./features/device-setting/feature.ts')).deviceSetting,
  (await import('./features/device-ready/feature.ts')).deviceReady,
  (await import('./features/user-setting/feature.ts')).userSetting,
  (await import('./features/upload/sound/feature.ts')).sound,
  (await import('./features/upload/feature.ts')).upload,
  (await import('./features/caption-index/feature.ts')).captionIndex,
  (await import('./features/caption-search/feature.ts')).captionSearch,
  (await import('./features/saved-search/feature.ts')).savedSearch,
  (await import('./features/rule/feature.ts')).rule,
  (await import('./features/team/feature.ts')).team,
  (await import('./features/alert/feature.ts')).alert,
  (await import('./features/bell/feature.ts')).bell,
  (await import('./features/channel/feature.ts')).channel,
  (await import('./features/publication/feature.ts')).publication,
  (await import('./features/overview/feature.ts')).overview,
  (await import('./features/live/feature.ts')).live,
  (await import('./features/subscription/feature.ts')).subscription,
  (await import('./features/bulk-job/feature.ts')).bulkJob,
  (await import('./features/talkgroup/feature.ts')).talkgroup,
  (await import('./features/gateway/rdio/feature.ts')).rdioGateway,
  (await import('./features/gateway/trunk-recorder/feature.ts')).trunkRecorderGateway,
  (await import('./features/gateway/openmhz/feature.ts')).openMhzGateway,
  (await import('./features/join/feature.ts')).join,
  (await import('./features/vocabulary/feature.ts')).vocabulary,
  (await import('./features/caption/feature.ts')).caption,
  (await import('./features/clip-facts/feature.ts')).clipFacts,
  (await import('./features/state-history/feature.ts')).stateHistory,
  (await import('./features/custody/feature.ts')).custody,
  (await import('./features/gateway/openai/feature.ts')).openAIGateway,
  (await import('./features/sample/feature.ts')).sample,
  (await import('./features/pages/feature.ts')).pages,
  ...serviceFeatures,
];
