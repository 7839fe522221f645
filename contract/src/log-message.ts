import type { Static } from 'typebox';
import { Type } from 'typebox';
import { DateAndCountFilter } from './agent.ts';
import { operation, readsOnly } from './operation.ts';
import { onceHeaders } from './repetition.ts';
import { Counter, DateTime, Key, oneOf, PathKey, searchTextLength, shortTextLength, text } from './values.ts';

/** Lines that the programs on a device log. */

const messageLength = 65_536;

export const logLevels = ['error', 'warning', 'info', 'debug'] as const;
export type LogLevel = (typeof logLevels)[number];
const Level = oneOf(...logLevels);

const logFields = {
  key: Type.Optional(Key),
  deviceID: Type.Optional(Key),
  agentID: Type.Optional(Key),
  processID: Type.Optional(Counter),
  version: Type.Optional(text(shortTextLength)),
  level: Type.Optional(Level),
  message: Type.Optional(Type.String()),
  messageDate: Type.Optional(DateTime),
  creationDate: Type.Optional(DateTime),
};

const LogMessage = Type.Object(logFields, { title: 'LogMessage', description: 'A line of the log of a device.' });
export type LogMessage = Static<typeof LogMessage>;

const LogMessageWithNames = Type.Object(
  {
    ...logFields,
    deviceName: Type.Optional(text(shortTextLength)),
    agentType: Type.Optional(text(shortTextLength)),
    agentIndex: Type.Optional(Counter),
  },
  { title: 'LogMessageWithNames' },
);
export type LogMessageWithNames = Static<typeof LogMessageWithNames>;

const CreateLogMessage = Type.Object(
  {
    deviceName: Type.Optional(text(shortTextLength)),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    agentType: Type.Optional(text(shortTextLength, 'Audio')),
    agentVersion: Type.Optional(text(shortTextLength, '1.4.0')),
    agentIndex: Type.Optional(Counter),
    processID: Type.Optional(Type.Integer({ ...Counter, examples: [4711] })),
    message: text(messageLength, 'WARNING the disk is nearly full'),
    logDate: Type.Optional(
      Type.String({
        maxLength: shortTextLength,
        examples: ['2026-11-15T01:10:00.000Z'],
        description:
          'An ISO 8601 date-time, with `T` or a space; without an offset in UTC. ' +
          'Missing, unreadable, before the year 2000 or more than a day ahead: the time of arrival.',
      }),
    ),
  },
  { title: 'CreateLogMessage' },
);
export type CreateLogMessage = Static<typeof CreateLogMessage>;

const LogMessageFilter = Type.Object(
  {
    ...DateAndCountFilter.properties,
    searchText: Type.Optional(
      Type.String({ maxLength: searchTextLength, description: 'Part of the message; case is ignored.' }),
    ),
    level: Type.Optional(Level),
  },
  { title: 'LogMessageFilter', description: 'Dates are half-open: start ≤ t < end.' },
);
export type LogMessageFilter = Static<typeof LogMessageFilter>;

export const createLogMessage = operation('logmessage', {
  method: 'POST',
  path: '/v1/logmessage',
  headers: onceHeaders,
  summary: 'Store a line of the log of a device',
  description:
    'The device is found by its serial, else by its name; a name that no device has is also tried as a serial. ' +
    'An unknown agent or agent type is left out; the line is stored all the same. ' +
    'The level is guessed: the first level word in capitals (`ERROR`, `WARN`, `INFO`, `DEBUG` and similar) near the start of the message, ' +
    'else a word such as `error`, `failed`, `exception` (error), `warning` (warning) or `debug`, `trace` (debug) anywhere, else `info`.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceSerial' }],
  body: CreateLogMessage,
  answer: LogMessage,
  errors: [409],
  trail: 'A device reports about itself.',
});

export const getLogMessage = operation('logmessage', {
  method: 'GET',
  path: '/v1/logmessage/{logMessageID}',
  summary: 'Read a line of a log',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'logmessage', right: 'read', by: 'params.logMessageID' }],
  params: { logMessageID: PathKey },
  answer: LogMessage,
});

export const listLogMessages = operation('logmessage', {
  method: 'POST',
  path: '/v1/logmessage/list',
  summary: 'List the lines of logs by their time',
  description:
    'With `searchText`, the first 100,000 lines of the range are searched, in the order of the list; ' +
    'without `deviceID`, the first 1,000 of each device.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'device', right: 'read', by: 'body.deviceID' }],
  lists: 'logmessage',
  body: LogMessageFilter,
  answer: Type.Array(LogMessageWithNames),
  trail: readsOnly,
});
