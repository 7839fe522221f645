const deadlockDetected = '40P01';
const serializationFailure = '40001';

/** Whether PostgreSQL rolled a transaction back only because of a concurrent one: a retry can succeed. */
export const isCollision = (error: unknown): boolean => {
  const { code } = (error ?? {}) as { code?: unknown };
  return code === deadlockDetected || code === serializationFailure;
};
