import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { BusboyInstance } from '@fastify/busboy';
import { Busboy } from '@fastify/busboy';
import { Refusal } from '../../../errors.ts';

/** A part of a form, in the order of the request. A part with bytes must be read before the next one. */
export type FormPart =
  | { readonly name: string; readonly text: string }
  | { readonly name: string; readonly filename: string; readonly bytes: AsyncIterable<Uint8Array> };

export interface FormLimits {
  /** The names of parts that are files even without a file name. */
  readonly files: readonly string[];
  readonly mostParts: number;
  readonly longestText: number;
  /** Whether a form without files may also be sent as `application/x-www-form-urlencoded`. */
  readonly mayBeUrlEncoded?: boolean;
}

const formWithFiles = /^multipart\/form-data\s*;/i;
const anyForm = /^(?:multipart\/form-data\s*;|application\/x-www-form-urlencoded\s*(?:;|$))/i;
const longestName = 200;
const mostHeaderBytes = 16_384;

const invalidForm = (detail: string, cause?: unknown) => new Refusal('invalid', detail, { cause });

/** Reads a form as it arrives. Throws a refusal if it is malformed or exceeds a limit. */
export async function* readFormParts(
  contentType: string | undefined,
  source: AsyncIterable<Uint8Array>,
  limits: FormLimits,
): AsyncGenerator<FormPart> {
  const parser = createParser(contentType, limits);
  const queue: FormPart[] = [];
  let fault: unknown;
  let isEnded = false;
  let wake = (): void => {};
  const add = (part: FormPart): void => {
    queue.push(part);
    wake();
  };
  const end = (error?: unknown): void => {
    fault ??= error;
    isEnded = true;
    wake();
  };
  parser.on('field', (name: string, text: string, isNameCut: boolean, isTextCut: boolean) => {
    if (isNameCut) end(invalidForm('The name of a part is too long.'));
    else if (isTextCut) end(invalidForm(`The part ${name} has more than ${limits.longestText} bytes.`));
    else add({ name, text });
  });
  parser.on('file', (name: string, bytes: Readable, filename: string | undefined) => {
    // If the consumer stops, the error that ends the form also ends this stream, and nobody listens.
    bytes.on('error', () => {});
    add({ name, filename: filename ?? '', bytes: readBytes(bytes) });
  });
  for (const limit of ['partsLimit', 'fieldsLimit', 'filesLimit'] as const) {
    parser.on(limit, () => end(invalidForm(`The form has more than ${limits.mostParts} parts.`)));
  }
  const pumping = pipeline(Readable.from(source, { objectMode: false }), parser).then(
    () => end(),
    (error: unknown) => end(formFault(error)),
  );
  try {
    for (;;) {
      const part = queue.shift();
      if (part) yield part;
      else if (isEnded) break;
      else {
        await new Promise<void>((resolve) => {
          wake = resolve;
        });
      }
    }
    if (fault !== undefined) throw fault;
  } finally {
    parser.destroy();
    await pumping;
  }
}

const formFault = (error: unknown): Refusal =>
  error instanceof Refusal ? error : invalidForm('The form is malformed or incomplete.', error);

async function* readBytes(bytes: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield* bytes;
  } catch (error) {
    throw formFault(error);
  }
}

function createParser(contentType: string | undefined, limits: FormLimits): BusboyInstance {
  const types = limits.mayBeUrlEncoded ? anyForm : formWithFiles;
  if (!types.test(contentType ?? '')) {
    throw new Refusal('unsupportedType', 'Send the call as a form: multipart/form-data.');
  }
  try {
    return new Busboy({
      headers: { 'content-type': contentType ?? '' },
      isPartAFile: (name, _type, filename) => filename !== undefined || limits.files.includes(name ?? ''),
      limits: {
        fieldNameSize: longestName,
        fieldSize: limits.longestText,
        fields: limits.mostParts,
        files: limits.mostParts,
        parts: limits.mostParts,
        headerPairs: 50,
        headerSize: mostHeaderBytes,
      },
    });
  } catch (error) {
    throw invalidForm('The content type of the form is malformed.', error);
  }
}
