const pattern = /^[a-z0-9-]{1,80}$/;

export const isStoredName = (name: string): boolean => pattern.test(name);

/** Names become paths and addresses: whatever could mean something else there is refused. */
export function checkName(name: string): void {
  if (!isStoredName(name)) throw new RangeError('a stored file is named by 1 to 80 characters of a-z, 0-9 and -');
}
