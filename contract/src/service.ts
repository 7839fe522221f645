import { Type } from 'typebox';
import { operation } from './operation.ts';

const State = Type.Object({ status: Type.String({ examples: ['ready'] }) }, { title: 'ServiceState' });

const Readiness = Type.Object(
  {
    ...State.properties,
    warning: Type.Optional(
      Type.String({
        description:
          'What the operator must know although requests are served: changes that the database had acknowledged are missing.',
      }),
    ),
  },
  { title: 'ServiceReadiness' },
);

export const getHealth = operation('service', {
  method: 'GET',
  path: '/healthz',
  summary: 'Check that the process responds',
  access: 'anyone',
  acts: [],
  answer: State,
});

export const getReadiness = operation('service', {
  method: 'GET',
  path: '/readyz',
  summary: 'Check whether requests can be served',
  description:
    '503 while starting, stopping, without the database, or while nothing can be written; the detail names the cause.',
  access: 'anyone',
  acts: [],
  answer: Readiness,
});

const Version = Type.Object(
  { Version: Type.String({ examples: ['1.0.0'], description: 'The version of the server.' }) },
  { title: 'ServiceVersion' },
);

export const getVersion = operation('service', {
  method: 'GET',
  path: '/v1/version',
  summary: 'Read the version of the server',
  access: 'anyone',
  acts: [],
  answer: Version,
});

export const getMetrics = operation('service', {
  method: 'GET',
  path: '/metrics',
  summary: 'Metrics in the format of Prometheus',
  access: 'anyone',
  acts: [],
  answer: Type.String(),
  media: ['text/plain'],
});

export const getOpenApi = operation('service', {
  method: 'GET',
  path: '/openapi.json',
  summary: 'This document',
  access: 'anyone',
  acts: [],
  answer: Type.Object({ openapi: Type.String() }, { additionalProperties: true, title: 'OpenApiDocument' }),
});
