import type { Client } from '@earshot/client/client';
import { waitMs } from '@earshot/server/testing/limits';
import type { Page } from 'playwright-core';
import { vi } from 'vitest';
import { sha256, tinyWav } from '../../server/src/features/file/tests/sound.ts';

/* Hostile and unusual text in every field that accepts text. */

const harm = 'window.harmed=1';

/** Markup, right-to-left text, emoji and a word of 300 letters, cut to the length of the field. Starts with its name. */
const hostile = (name: string, most = 600): string =>
  `${name}<img src=x onerror=${harm}>مرحبا بالعالم🎙️<script>${harm}</script></title><b> ${'w'.repeat(300)} "'&amp;`.slice(
    0,
    most,
  );

const short = 200;
const names = {
  device: hostile('Q-device', short),
  description: hostile('Q-description'),
  tag: hostile('Q-tag', 100).trim(),
  words: hostile('Q-words'),
  output: hostile('Q-output'),
  agent: hostile('Q-agent', short),
  result: hostile('Q-result'),
  parameters: hostile('Q-parameters'),
  preset: hostile('Q-preset', short),
  collection: hostile('Q-collection', short),
  about: hostile('Q-about'),
  person: hostile('Q-person', short),
  key: hostile('Q-key'),
  file: hostile('Q-file', 240).replaceAll('/', '∕'),
  search: hostile('Q-search', short),
  setting: hostile('Q-setting', short),
  value: hostile('Q-value'),
  line: hostile('Q-line'),
  network: hostile('Q-network', short),
  uploadkey: hostile('Q-uploadkey'),
  talkgroup: hostile('Q-talkgroup', short),
  rule: hostile('Q-rule', short),
  aim: hostile('Q-aim'),
  note: hostile('Q-note'),
  team: hostile('Q-team', short),
  duties: hostile('Q-duties'),
};

export interface HostileFleet {
  readonly deviceID: number;
  readonly clipID: number;
  readonly eventID: number;
  readonly collectionID: number;
  readonly teamID: number;
  readonly personID: number;
  readonly ruleID: number;
  readonly alertID: number;
}

export async function makeHostileFleet(admin: Client, agent: Client): Promise<HostileFleet> {
  const deviceSerial = 'hostile';
  const body = { deviceSerial, deviceName: names.device, deviceDescription: names.description, autoCaption: false };
  const { key: deviceID = 0 } = await admin.createDevice({ body });
  const { key: agentID = 0 } = await agent.registerAgent({
    body: { deviceSerial, agentType: 'Device', processID: 6, agentVersion: hostile('Q-version', short) },
  });
  await agent.updateAgent({ params: { agentID }, body: { agentName: names.agent, recentOutput: names.output } });

  const eventParameters = JSON.stringify({ [names.parameters]: names.parameters });
  await admin.createEvent({ body: { deviceID, eventType: 'Reboot', eventParameters } });
  const taken = await agent.dequeueEvent({ body: { deviceSerial, agentType: 'Device', processID: 6 } });
  const eventID = taken?.key ?? 0;
  await agent.reportEvent({ params: { eventID }, body: { eventStatus: 5, result: names.result, processID: 6 } });
  const preset = { deviceID, eventType: 'Reboot', eventPresetName: names.preset, eventParameters };
  await admin.createEventPreset({ body: preset });

  const params = { deviceID };
  await admin.putDeviceSetting({ params, query: {}, body: { settingName: names.setting, settingValue: names.value } });
  await agent.createLogMessage({ body: { deviceSerial, agentType: 'Device', message: `ERROR ${names.line}` } });
  await agent.createDeviceHealth({ body: { deviceSerial, healthJSON: JSON.stringify({ ssid: names.network }) } });

  const ruleID = await makeRule(admin, deviceID);
  const clipID = await makeClip(admin, agent, deviceSerial);
  const alertID = await makeAlert(admin, ruleID);
  const { collectionID, personID } = await makeCollection(admin, agent, deviceID, deviceSerial);
  const teamID = await makeTeam(admin, collectionID, personID);
  const { key: apiKeyID = 0 } = await admin.createApiKey();
  await admin.updateApiKey({ params: { apiKeyID }, body: { aPIKeyDescription: names.key } });
  await admin.createSavedSearch({ body: { searchName: names.search, search: { searchText: names.words } } });
  await admin.createUploadKey({ body: { uploadKeyDescription: names.uploadkey } });
  await admin.updateTalkgroup({
    params: { deviceID },
    body: {
      talkgroup: 7,
      talkgroupLabel: names.talkgroup,
      talkgroupName: names.talkgroup,
      talkgroupGroup: names.talkgroup,
      talkgroupTag: names.talkgroup,
    },
  });
  return { deviceID, clipID, eventID, collectionID, teamID, personID, ruleID, alertID };
}

/** It finds every clip of the device. */
async function makeRule(admin: Client, deviceID: number): Promise<number> {
  const { key = 0 } = await admin.createRule({
    body: {
      ruleName: names.rule,
      ruleDescription: names.aim,
      where: { deviceIDs: [deviceID] },
      when: { any: [{ words: names.words.slice(0, 100) }, { tagName: names.tag }, { lengthSeconds: { min: 1 } }] },
      actions: [{ action: 'notify' }, { action: 'tag', tagName: names.tag }],
    },
  });
  return key;
}

/** The alert of the rule, as soon as its clip is judged. */
async function makeAlert(admin: Client, ruleID: number): Promise<number> {
  const alertID = await vi.waitFor(async () => {
    const { results } = await admin.listRuleAlerts({ body: { ruleID } });
    return results[0]?.key ?? Promise.reject(new Error('no alert yet'));
  }, waitMs);
  await admin.addAlertNote({ params: { alertID }, body: { note: names.note } });
  return alertID;
}

async function makeClip(admin: Client, agent: Client, deviceSerial: string): Promise<number> {
  const startTime = Math.floor(Date.now() / 1_000) - 600;
  const { key: clipID = 0 } = await agent.announceAudioClip({
    params: { audioClipID: deviceSerial },
    body: { startTime, clipLengthInSeconds: 5 },
  });
  await agent.putAudioClipContent({ params: { audioClipID: clipID }, body: tinyWav(5) });
  await admin.correctCaption({ params: { captionID: clipID }, body: { transcript: names.words } });
  await admin.createAudioClipTag({ params: { audioClipID: clipID }, body: { tagName: names.tag.trim() } });
  return clipID;
}

async function makeCollection(admin: Client, agent: Client, deviceID: number, deviceSerial: string) {
  const about = { collectionName: names.collection, collectionDescription: names.about };
  const { key: collectionID = 0 } = await admin.createCollection({ body: about });
  const person = { email: 'hostile@example.org', displayName: names.person, role: 'member' } as const;
  const { key: userID = 0 } = await admin.createUser({ body: { ...person, password: 'a password for tests' } });
  const bytes = tinyWav(1);
  const { key: fileID = 0, signedURL = '' } = await agent.createFile({
    body: { deviceSerial, filename: names.file, fileSize: bytes.length, sHA256Hash: sha256(bytes) },
  });
  await fetch(signedURL, { method: 'PUT', body: bytes });
  await agent.finishFile({ params: { fileID } });
  for (const item of [
    { itemType: 'device', itemID: deviceID },
    { itemType: 'user', itemID: userID },
    { itemType: 'file', itemID: fileID },
  ] as const)
    await admin.addCollectionItem({ params: { collectionItemID: collectionID }, body: item });
  return { collectionID, personID: userID };
}

/** With a rota, and the collection. */
async function makeTeam(admin: Client, collectionID: number, userID: number): Promise<number> {
  const rota = [{ userID, days: [1, 2], from: '08:00', to: '18:00' }];
  const body = { teamName: names.team, teamDescription: names.duties, userIDs: [userID], rota };
  const { key: teamID = 0 } = await admin.createTeam({ body });
  await admin.addCollectionTeam({ params: { collectionID, teamID } });
  return teamID;
}

/** Hostile text that was executed or became markup. */
export async function harmDone(page: Page): Promise<readonly string[]> {
  const made = await page.evaluate(
    () => document.querySelectorAll('img[src="x"], script:not([src]), [onerror], main b, dialog b').length,
  );
  const ran = await page.evaluate(() => 'harmed' in window);
  return [...(made > 0 ? [`${made} elements made from text`] : []), ...(ran ? ['a script ran'] : [])];
}

/** Names of the hostile texts that a page shows. */
export async function hostileOn(page: Page): Promise<readonly string[]> {
  const text = (await page.evaluate(() => document.body.textContent)) ?? '';
  return Object.keys(names).filter((name) => text.includes(`Q-${name}<img src=x`));
}

export const hostileNames = Object.keys(names);
