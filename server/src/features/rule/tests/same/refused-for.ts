/** What a request answers; undefined if it is refused for this reason. Any other error is thrown. */
export async function refusedFor<Answer>(reason: RegExp, ask: () => Promise<Answer>): Promise<Answer | undefined> {
  try {
    return await ask();
  } catch (error) {
    if (reason.test(String(error)) || reason.test(JSON.stringify(error))) return undefined;
    throw error;
  }
}
