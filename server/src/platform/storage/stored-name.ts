const pattern = /^[a-z0-9-]{1,80}$/;

export const isStoredName = (name: string): boolean => pattern.test(name);

/** Names become parts of paths and URLs, so every character with a meaning there is refused. */
export function checkName(name: string): void {
  if (!isStoredName(name))
    throw new RangeError('the name of a stored file must be 1 to 80 characters of a-z, 0-9 and -');
}
