import * as agent from './agent.ts';
import * as agentRelease from './agent-release.ts';
import * as agentType from './agent-type.ts';
import * as alert from './alert.ts';
import * as alertLink from './alert-link.ts';
import * as apiKey from './api-key.ts';
import * as apiKeyPage from './api-key-page.ts';
import * as audioClip from './audio-clip.ts';
import * as audioClipCoverage from './audio-clip-coverage.ts';
import * as audioClipExport from './audio-clip-export.ts';
import * as audioClipFleet from './audio-clip-fleet.ts';
import * as audioClipJoin from './audio-clip-join.ts';
import * as audioClipList from './audio-clip-list.ts';
import * as audioClipPage from './audio-clip-page.ts';
import * as audioClipRecording from './audio-clip-recording.ts';
import * as audioClipRetention from './audio-clip-retention.ts';
import * as audioClipSound from './audio-clip-sound.ts';
import * as audioClipVersion from './audio-clip-version.ts';
import * as audit from './audit.ts';
import * as auditLog from './audit-log.ts';
import * as bell from './bell.ts';
import * as bulkJob from './bulk-job.ts';
import * as caption from './caption.ts';
import * as captionProgress from './caption-progress.ts';
import * as captionSearch from './caption-search.ts';
import * as captionVersion from './caption-version.ts';
import * as channel from './channel.ts';
import * as clipFacts from './clip-facts.ts';
import * as collection from './collection.ts';
import * as collectionItem from './collection-item.ts';
import * as collectionPage from './collection-page.ts';
import * as custody from './custody.ts';
import * as delivery from './delivery.ts';
import * as device from './device.ts';
import * as deviceHealth from './device-health.ts';
import * as devicePage from './device-page.ts';
import * as devicePosition from './device-position.ts';
import * as deviceReady from './device-ready.ts';
import * as deviceSetting from './device-setting.ts';
import * as disclosure from './disclosure.ts';
import * as event from './event.ts';
import * as eventPage from './event-page.ts';
import * as eventPreset from './event-preset.ts';
import * as eventPresetPage from './event-preset-page.ts';
import * as eventType from './event-type.ts';
import * as eventWork from './event-work.ts';
import * as file from './file.ts';
import * as gateway from './gateway.ts';
import * as transcriptionGateway from './transcription-gateway.ts';
import * as installation from './installation.ts';
import * as live from './live.ts';
import * as logMessage from './log-message.ts';
import type { Operation } from './operation.ts';
import * as overview from './overview.ts';
import * as publication from './publication.ts';
import * as postback from './postback.ts';
import * as radio from './radio.ts';
import * as reach from './reach.ts';
import * as right from './right.ts';
import * as rollout from './rollout.ts';
import * as rule from './rule.ts';
import * as ruleAllowance from './rule-allowance.ts';
import * as ruleMatch from './rule-match.ts';
import * as ruleTrial from './rule-trial.ts';
import * as sample from './sample.ts';
import * as savedSearch from './saved-search.ts';
import * as service from './service.ts';
import * as session from './session.ts';
import * as setup from './setup.ts';
import * as spokenLanguage from './spoken-language.ts';
import * as subscription from './subscription.ts';
import * as tag from './tag.ts';
import * as team from './team.ts';
import * as upload from './upload.ts';
import * as uploadKey from './upload-key.ts';
import * as uploadProof from './upload-proof.ts';
import * as user from './user.ts';
import * as userPage from './user-page.ts';
import * as userSetting from './user-setting.ts';
import * as vocabulary from './vocabulary.ts';
import * as vocabularyProposal from './vocabulary-proposal.ts';

const modules = {
  ...setup,
  ...session,
  ...user,
  ...userPage,
  ...userSetting,
  ...apiKey,
  ...apiKeyPage,
  ...uploadKey,
  ...device,
  ...deviceReady,
  ...devicePage,
  ...devicePosition,
  ...deviceHealth,
  ...deviceSetting,
  ...logMessage,
  ...collection,
  ...collectionItem,
  ...bulkJob,
  ...right,
  ...reach,
  ...team,
  ...sample,
  ...agentType,
  ...agent,
  ...agentRelease,
  ...installation,
  ...rollout,
  ...eventType,
  ...event,
  ...eventPage,
  ...eventWork,
  ...eventPreset,
  ...eventPresetPage,
  ...audioClip,
  ...audioClipList,
  ...audioClipPage,
  ...audioClipExport,
  ...audioClipFleet,
  ...audioClipJoin,
  ...audioClipCoverage,
  ...audioClipRetention,
  ...audioClipRecording,
  ...captionSearch,
  ...savedSearch,
  ...tag,
  ...radio,
  ...audioClipSound,
  ...audioClipVersion,
  ...clipFacts,
  ...caption,
  ...captionProgress,
  ...captionVersion,
  ...vocabulary,
  ...vocabularyProposal,
  ...spokenLanguage,
  ...file,
  ...upload,
  ...uploadProof,
  ...postback,
  ...rule,
  ...ruleTrial,
  ...ruleMatch,
  ...ruleAllowance,
  ...alert,
  ...alertLink,
  ...bell,
  ...channel,
  ...delivery,
  ...disclosure,
  ...publication,
  ...subscription,
  ...overview,
  ...audit,
  ...collectionPage,
  ...custody,
  ...auditLog,
  ...live,
  ...service,
};

type Modules = typeof modules;
type OperationNames = {
  [Name in keyof Modules]: Modules[Name] extends Pick<Operation, 'method' | 'path' | 'access'> ? Name : never;
}[keyof Modules];

export type Operations = Pick<Modules, OperationNames>;

const isOperation = (value: unknown): boolean =>
  typeof value === 'object' && value !== null && 'method' in value && 'path' in value;

/** Every operation by its name, which is also its `operationId` and its method on the typed client. */
export const operations = Object.freeze(
  Object.fromEntries(Object.entries(modules).filter(([, value]) => isOperation(value))),
) as unknown as Operations;

export const operationList: readonly (readonly [string, Operation])[] = Object.entries(
  operations as unknown as Record<string, Operation>,
);

/** Operations of other protocols. They are no methods of the client. */
export const gatewayList: readonly (readonly [string, Operation])[] = Object.entries({
  ...gateway,
  ...transcriptionGateway,
} as unknown as Record<string, Operation>).filter(([, value]) => isOperation(value));
