import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Key } from './values.ts';

/** Recordings made by a speech synthesiser, to try the platform without a recorder. */

const Samples = Type.Object(
  {
    deviceIDList: Type.Array(Key, { description: 'The devices of the samples. Delete these to remove the samples.' }),
  },
  { title: 'Samples' },
);
export type Samples = Static<typeof Samples>;

export const getSamples = operation('sample', {
  method: 'GET',
  path: '/v1/sample',
  summary: 'List the devices with sample recordings',
  access: 'admin',
  acts: [],
  answer: Samples,
});

export const createSamples = operation('sample', {
  method: 'POST',
  path: '/v1/sample',
  repetition: 'harmless',
  summary: 'Make sample recordings',
  description:
    'Makes a few devices with recordings of spoken sentences. The sentences are synthesised on the server, which takes ' +
    'some seconds. Where there are samples already, nothing is made.',
  access: 'admin',
  acts: [],
  answer: Samples,
  errors: [409],
  trail: 'It adds sample devices with recordings of their own, and changes none.',
});
