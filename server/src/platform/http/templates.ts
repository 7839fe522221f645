import type { Operation } from '@earshot/contract/operation';

/** `/v1/agent/{agentID}` in the syntax of the router. */
export const routerPath = (path: string): string => path.replaceAll(/\{(\w+)\}/g, ':$1');

/** The methods of the operations at this path, for the header Allow. */
export function allowedMethods(served: Map<string, Operation>, path: string): readonly string[] {
  const methods = new Set<string>();
  for (const operation of served.values()) {
    if (!matchesPath(operation.path, path)) continue;
    methods.add(operation.method);
    if (operation.method === 'GET') methods.add('HEAD');
  }
  return [...methods].toSorted();
}

/** Whether a path, with or without a slash at its end, has the form of a template. */
export const matchesPath = (template: string, path: string): boolean =>
  matches(template.split('/'), path.replace(/\/$/, '').split('/'));

const matches = (template: readonly string[], steps: readonly string[]): boolean =>
  template.length === steps.length && template.every((part, index) => part.startsWith('{') || part === steps[index]);
