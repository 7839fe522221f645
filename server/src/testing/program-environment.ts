/** Settings of this run that a program of a test must not get; it needs the file for warnings (warnings.ts). */
const isOfRun = (name: string): boolean => /^(EARSHOT|npm|VITEST|NODE(?!_REDIRECT_WARNINGS)|PG)/i.test(name);

/** The environment of a program that a test starts as a user would. */
export function programEnvironment(): Record<string, string | undefined> {
  return Object.fromEntries(Object.entries(process.env).filter(([name]) => !isOfRun(name)));
}
