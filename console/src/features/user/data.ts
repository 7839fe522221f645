import type { User } from '@earshot/contract/user';
import { api } from '../../lib/api.ts';
import type { Query } from '../../lib/query.ts';

export const allUsers: Query<readonly User[]> = { key: 'people', load: () => api.listUsers() };

export const userName = ({ displayName, email }: User): string => displayName || email || '';
