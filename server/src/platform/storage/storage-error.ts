/** There is no finished file of that name. */
export class StoredFileMissing extends Error {
  constructor(name: string) {
    super(`the file ${name} is not stored`);
  }
}

/** An upload was continued or finished at another offset than its current one. */
export class OffsetMismatch extends Error {
  /** The current offset. */
  readonly offset: number;
  constructor(offset: number) {
    super(`the upload is at ${offset} bytes`);
    this.offset = offset;
  }
}

/** More bytes arrived than the declared size of the file. */
export class TooManyBytes extends Error {
  constructor(size: number) {
    super(`the upload is longer than the ${size} bytes of the file`);
  }
}

/** The storage cannot be used. The message is one line for the operator, without secrets. */
export class StorageUnavailable extends Error {
  /** Nothing can be stored until there is more space. */
  readonly isFull: boolean;
  constructor(message: string, { isFull = false, ...options }: ErrorOptions & { readonly isFull?: boolean } = {}) {
    super(message, options);
    this.isFull = isFull;
  }
}
