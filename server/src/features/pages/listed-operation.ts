import type { DocumentMethod, OpenApiDocument, OperationObject } from '@earshot/contract/openapi-document';
import { documentMethods } from '@earshot/contract/openapi-document';

/** An operation of the document with its path and method. */
export interface ListedOperation {
  readonly path: string;
  readonly method: DocumentMethod;
  readonly operation: OperationObject;
}

export interface TagGroup {
  readonly name: string;
  readonly description: string;
  readonly operations: readonly ListedOperation[];
}

/** The operations in the order of the document, grouped by tag. */
export function groupByTag(document: OpenApiDocument): readonly TagGroup[] {
  const all = Object.entries(document.paths).flatMap(([path, item]) =>
    documentMethods.flatMap((method) => {
      const operation = item[method];
      return operation ? [{ path, method, operation }] : [];
    }),
  );
  return document.tags.map(({ name, description }) => ({
    name,
    description,
    operations: all.filter(({ operation }) => operation.tags[0] === name),
  }));
}
