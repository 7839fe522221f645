import type { Access } from './operation.ts';

/** A schema as in the document: JSON Schema 2020-12, with references to named schemas. */
export interface JsonSchema {
  readonly $ref?: string;
  readonly title?: string;
  readonly description?: string;
  readonly type?: string | readonly string[];
  readonly format?: string;
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly pattern?: string;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly items?: JsonSchema;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
  readonly anyOf?: readonly JsonSchema[];
  readonly examples?: readonly unknown[];
  readonly [keyword: string]: unknown;
}

export interface Reference {
  readonly $ref: string;
}

export interface MediaObject {
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export type ContentMap = Readonly<Record<string, MediaObject>>;

export interface ParameterObject {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required: boolean;
  readonly description?: string;
  readonly schema: JsonSchema;
  readonly example?: unknown;
}

export interface HeaderObject {
  readonly description: string;
  readonly schema: JsonSchema;
}

export interface ResponseObject {
  readonly description: string;
  readonly headers?: Readonly<Record<string, Reference | HeaderObject>>;
  readonly content?: ContentMap;
  /** The response may be empty. */
  readonly 'x-may-be-empty'?: true;
}

export interface OperationObject {
  readonly operationId: string;
  readonly tags: readonly [string];
  readonly summary: string;
  readonly description: string;
  readonly deprecated?: true;
  readonly 'x-access': Access;
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly ParameterObject[];
  readonly requestBody?: { readonly required: boolean; readonly content: ContentMap };
  readonly responses: Readonly<Record<string, ResponseObject | Reference>>;
}

/** The order of the methods of a path in the document. */
export const documentMethods = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'] as const;
export type DocumentMethod = (typeof documentMethods)[number];

export type PathItem = Readonly<Partial<Record<DocumentMethod, OperationObject>>>;

export interface SecurityScheme {
  readonly type: 'http' | 'apiKey';
  readonly description: string;
  readonly scheme?: string;
  readonly in?: 'header' | 'cookie';
  readonly name?: string;
}

export interface OpenApiDocument {
  readonly openapi: '3.1.1';
  readonly info: {
    readonly title: string;
    readonly version: string;
    readonly description: string;
    readonly license: { readonly name: string; readonly identifier: string };
  };
  readonly servers: readonly { readonly url: string; readonly description: string }[];
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: Readonly<Record<string, PathItem>>;
  readonly components: {
    readonly schemas: Readonly<Record<string, JsonSchema>>;
    readonly responses: Readonly<Record<string, ResponseObject>>;
    readonly headers: Readonly<Record<string, HeaderObject>>;
    readonly securitySchemes: Readonly<Record<string, SecurityScheme>>;
  };
}
