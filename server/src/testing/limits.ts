/*
 * How long the tests wait for something. No test has a limit of its own: on a busy machine everything takes ten times as
 * long, so these are limits that only a hang reaches.
 */

/** Of a whole test or hook. */
export const testMs = 600_000;
/** Of one wait: `expect.poll`, `vi.waitFor`, `vi.waitUntil`, and what a browser test waits for. */
export const waitMs = 180_000;
