import { gatewayList, operationList } from '@earshot/contract/operations';
import type { FindFaults } from './sources.ts';

const operations = [...operationList, ...gatewayList].map(([, { method, path }]) => ({ method, path }));

/** Paths that are no operations, such as pages, are left to those who write about them. */
const isOfApi = (path: string): boolean => path.startsWith('/v1/') || path.startsWith('/api/');

/** What stands for a value in a path. */
const isValue = (part: string | undefined): boolean => part !== undefined && /^(?:\{.+\}|\d+|\$\w+|NUMBER)$/.test(part);

/** What follows `?` is the query. */
function isOperation(method: string | undefined, path: string): boolean {
  const parts = path.split(/[?#]/)[0]!.split('/');
  return operations.some((operation) => {
    if (method !== undefined && method !== 'HEAD' && operation.method !== method) return false;
    const declared = operation.path.split('/');
    return (
      declared.length === parts.length &&
      declared.every((part, index) => part === parts[index] || (part.startsWith('{') && isValue(parts[index])))
    );
  });
}

export const findOperationFaults: FindFaults = ({ kind, text }) => {
  if (kind !== 'code') return [];
  const [, method, path] = /^(?:(GET|POST|PUT|PATCH|DELETE|HEAD) )?(\/[\w/{}$.-]*)$/.exec(text) ?? [];
  if (path === undefined || !isOfApi(path) || path.endsWith('/')) return [];
  return isOperation(method, path) ? [] : [`the API has no operation ${text}`];
};
