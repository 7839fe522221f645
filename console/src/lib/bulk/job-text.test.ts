import type { BulkJob } from '@earshot/contract/bulk-job';
import { expect, test } from 'vitest';
import { failureLines, jobText } from './job-text.ts';

const job: BulkJob = {
  key: 1,
  userID: 1,
  action: 'delete',
  state: 'running',
  total: 2_000,
  doneCount: 1_200,
  failedCount: 3,
  creationDate: '2026-11-19T17:00:00.000Z',
};

test('a job says how far it is, and how it ended', () => {
  expect(jobText(job)).toBe('1,203 of 2,000, failed for 3');
  expect(jobText({ ...job, failedCount: 0 })).toBe('1,200 of 2,000');
  expect(jobText({ ...job, state: 'done', doneCount: 1_997 })).toBe('Done for 1,997, failed for 3.');
  expect(jobText({ ...job, state: 'cancelled' })).toBe('Done for 1,200, failed for 3, stopped before 797.');
  expect(jobText({ ...job, state: 'stopped', failedCount: 0, reason: 'The key was revoked.' })).toBe(
    'Done for 1,200, stopped before 800. The key was revoked.',
  );
});

test('failures are copied as lines, with a number in place of a name that is not known', () => {
  const failure = { recordKey: 7, reason: 'It is\ngone.', failedDate: '' };
  expect(failureLines([{ ...failure, recordName: 'North gate' }, failure])).toBe(
    'North gate\tIt is gone.\nNumber 7\tIt is gone.',
  );
});
