import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, shortTextLength, text } from './values.ts';

export const exampleHash = '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08';

export const Sha256 = Type.String({
  pattern: '^[0-9a-f]{64}$',
  maxLength: 64,
  examples: [exampleHash],
  description: 'A SHA-256 hash in lower-case hexadecimal digits.',
});

const AgentRelease = Type.Object(
  {
    sha256: Type.Optional(Type.String({ ...Sha256, description: 'Identifies the release.' })),
    version: Type.Optional(text(shortTextLength, '0.1.0')),
    fileSize: Type.Optional(Counter),
    current: Type.Optional(
      Type.Boolean({ description: 'Whether this server ships it: new devices are installed with it.' }),
    ),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'AgentRelease', description: 'A version of the agent that this platform has shipped.' },
);
export type AgentRelease = Static<typeof AgentRelease>;

/** What `Update_software` asks for. */
export interface SoftwareUpdate {
  readonly version: string;
  readonly sha256: string;
}

export const listAgentReleases = operation('agentrelease', {
  method: 'GET',
  path: '/v1/agentrelease/list',
  summary: 'List the versions of the agent, newest first',
  description:
    'Every version that a server of this installation has shipped. An `Update_software` event names one of them in its ' +
    '`eventParameters`: `{"version": "0.1.0", "sha256": "…"}`.',
  access: 'caller',
  acts: [],
  answer: Type.Array(AgentRelease),
});
