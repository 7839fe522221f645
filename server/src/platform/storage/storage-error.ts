/** No finished file of that name is stored. */
export class StoredFileMissing extends Error {
  constructor(name: string) {
    super(`the file ${name} is not stored`);
  }
}

/** An upload was to go on, or to end, elsewhere than it stands. */
export class OffsetMismatch extends Error {
  /** Where it stands. */
  readonly offset: number;
  constructor(offset: number) {
    super(`the upload stands at ${offset} bytes`);
    this.offset = offset;
  }
}

/** More bytes came than the file was said to have. */
export class TooManyBytes extends Error {
  constructor(size: number) {
    super(`there are more than the ${size} bytes of the file`);
  }
}

/** The store does not do what it is for. The message is for the operator, a line without secrets. */
export class StorageUnavailable extends Error {
  /** Nothing can be stored until there is more space. */
  readonly isFull: boolean;
  constructor(message: string, { isFull = false, ...options }: ErrorOptions & { readonly isFull?: boolean } = {}) {
    super(message, options);
    this.isFull = isFull;
  }
}
