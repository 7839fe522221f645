import { defineFeature } from '../../feature.ts';
import type { Parts } from '../../feature.ts';
import { startSweep } from '../../platform/loop.ts';
import type { ChannelSending } from './delivery/attempt.ts';
import { sweepDeliveries } from './delivery/sweep.ts';
import { startSending } from './delivery/worker.ts';
import { serveChannels } from './routes.ts';

const attemptMs = 15_000;

const partsOf = ({
  db,
  log,
  outbound,
  secretBox,
  storage,
  writeChanges,
  config,
}: Pick<Parts, 'config' | 'db' | 'log' | 'outbound' | 'secretBox' | 'storage' | 'writeChanges'>): ChannelSending => ({
  db,
  log,
  outbound,
  secretBox,
  storage,
  writeChanges,
  publicOrigin: config.publicOrigin,
  retrySeconds: config.eventTimes.retrySeconds,
  ruleHours: config.ruleHours,
  attemptMs,
  mail: config.mail,
  mqtt: config.mqtt,
});

export const channel = defineFeature({
  name: 'channel',
  needs: ['config', 'db', 'log', 'outbound', 'secretBox', 'storage', 'writeChanges'],
  routes: (http, parts) => serveChannels(http, partsOf(parts)),
  loops: (parts) => [
    startSending(partsOf(parts)),
    startSweep(
      'deliveries',
      parts.config.fileSweepSeconds * 1000,
      () => sweepDeliveries(parts.db, parts.config.deliveryDays, parts.config.ruleHours),
      parts.log,
    ),
  ],
});
