import type { Db, Pool } from '../../platform/database/connect.ts';
import type { Cluster } from '../../platform/cluster.ts';
import type { Passwords } from '../../platform/secrets/passwords.ts';
import type { SecretBox } from '../../platform/secrets/secret-box.ts';

/** What a feature does in the transaction that disables a person. */
export type OnUserDisabled = (tx: Db, userID: number) => Promise<void>;

export interface UserParts {
  readonly db: Pool;
  readonly cluster: Cluster;
  readonly passwords: Passwords;
  readonly secretBox: SecretBox;
  readonly userDisabled: readonly OnUserDisabled[];
}
