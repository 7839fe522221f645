/*
 * Text that a person wrote and did not save yet, kept in the browser for each user, so that it is not lost when the page
 * is closed or the session ends. Signing out removes the drafts of the user.
 */

const prefix = 'earshot draft ';
/** Characters of all drafts. Browsers keep about five million for a site. */
const mostCharacters = 2_000_000;
const mostDrafts = 50;

export interface Draft<Value> {
  readonly savedAt: number;
  readonly value: Value;
}

type Store = Pick<Storage, 'getItem' | 'setItem' | 'removeItem' | 'key' | 'length'>;

export interface Drafts {
  read<Value>(userID: number, name: string): Draft<Value> | undefined;
  /** Returns whether the draft was kept. The oldest drafts are removed if there are too many. */
  write(userID: number, name: string, value: unknown): boolean;
  remove(userID: number, name: string): void;
  removeAll(userID: number): void;
}

export function createDrafts(store: Store, now: () => number = Date.now): Drafts {
  const keyOf = (userID: number, name: string) => `${prefix}${userID} ${name}`;
  const keys = (start: string): readonly string[] =>
    Array.from({ length: store.length }, (_, index) => store.key(index) ?? '').filter((key) => key.startsWith(start));
  const read = (key: string): Draft<unknown> | undefined => {
    try {
      const draft = JSON.parse(store.getItem(key) ?? 'null') as Draft<unknown> | null;
      return draft && typeof draft.savedAt === 'number' ? draft : undefined;
    } catch {
      return undefined;
    }
  };
  /** Removes the oldest drafts, until there is space for a text. */
  const makeSpace = (own: string, length: number): void => {
    const others = keys(prefix)
      .filter((key) => key !== own)
      .map((key) => ({ key, length: store.getItem(key)?.length ?? 0, savedAt: read(key)?.savedAt ?? 0 }))
      .toSorted((a, b) => b.savedAt - a.savedAt);
    let space = mostCharacters - length;
    for (const [index, other] of others.entries()) {
      space -= other.length;
      if (space < 0 || index + 1 >= mostDrafts) store.removeItem(other.key);
    }
  };
  return {
    read: <Value>(userID: number, name: string) => read(keyOf(userID, name)) as Draft<Value> | undefined,
    write(userID, name, value) {
      const key = keyOf(userID, name);
      const text = JSON.stringify({ savedAt: now(), value } satisfies Draft<unknown>);
      if (text.length > mostCharacters) return false;
      try {
        makeSpace(key, text.length);
        store.setItem(key, text);
        return true;
      } catch {
        // The browser has no space left, or does not allow it.
        return false;
      }
    },
    remove: (userID, name) => store.removeItem(keyOf(userID, name)),
    removeAll(userID) {
      for (const key of keys(`${prefix}${userID} `)) store.removeItem(key);
    },
  };
}

/** Keeps nothing where the browser blocks its storage. */
const noStore: Store = { length: 0, key: () => null, getItem: () => null, setItem: () => {}, removeItem: () => {} };

function browserStore(): Store {
  try {
    return localStorage;
  } catch {
    return noStore;
  }
}

export const drafts: Drafts = createDrafts(browserStore());
