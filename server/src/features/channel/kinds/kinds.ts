import type { ChannelKindName } from '@earshot/contract/channel-kinds';
import { alertmanager } from './alertmanager.ts';
import { createHttpKind } from './http.ts';
import { email } from './email.ts';
import type { HttpPreset } from './http-templates.ts';
import { httpTemplates } from './http-templates.ts';
import type { ChannelKind } from './kind.ts';
import { mqtt } from './mqtt.ts';
import { ntfy } from './ntfy.ts';
import { ownTemplate } from './own-template.ts';
import { push } from './push/push.ts';
import { webhook } from './webhook.ts';

const presets = Object.fromEntries(
  Object.entries(httpTemplates).map(([name, template]) => [name, createHttpKind(template)]),
) as Record<HttpPreset, ChannelKind>;

export const kindsByName: Readonly<Record<ChannelKindName, ChannelKind>> = {
  webhook,
  email,
  push,
  mqtt,
  ntfy,
  alertmanager,
  http: ownTemplate,
  ...presets,
};
