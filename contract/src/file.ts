import type { Static } from 'typebox';
import { Type } from 'typebox';
import { operation } from './operation.ts';
import { Counter, DateTime, filledText, Key, PathKey, shortTextLength, text } from './values.ts';

export const longestFilename = 255;
/** 64 GiB: more than a day of uncompressed sound in the highest quality. */
export const largestFileBytes = 68_719_476_736;
export const uploadSeconds = 3_600;
export const temporaryHours = 24;

const sHA256Hash = Type.String({
  pattern: '^[0-9A-Fa-f]{64}$',
  maxLength: 64,
  examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  description: 'The SHA-256 of the bytes, as 64 hexadecimal digits.',
});

export const File = Type.Object(
  {
    key: Type.Optional(Key),
    fileID: Type.Optional(Type.Integer({ ...Key, description: 'The same as `key`.' })),
    userID: Type.Optional(Key),
    deviceID: Type.Optional(Key),
    filename: Type.Optional(text(longestFilename)),
    fileSize: Type.Optional(Counter),
    sHA256Hash: Type.Optional(text(64)),
    contentType: Type.Optional(text(shortTextLength)),
    fileStatus: Type.Optional(Type.Integer({ minimum: 0, maximum: 1, description: '0 waiting, 1 available' })),
    signedURL: Type.Optional(
      Type.String({ description: 'Where to PUT the bytes; only in the response to the creation.' }),
    ),
    fileLocation: Type.Optional(
      Type.String({
        description:
          'In the response to the creation the same as `signedURL`. For an available file, an address that downloads ' +
          'this file for an hour, without credentials, while you may read the file and the API key or session with which ' +
          'you got it exists.',
      }),
    ),
    fileInS3: Type.Optional(
      Type.Integer({
        minimum: 0,
        maximum: 1,
        description: 'Of an available file: 1 if its bytes are in an object store, 0 if they are in a folder.',
      }),
    ),
    creationDate: Type.Optional(DateTime),
  },
  { title: 'File', description: 'Bytes and their metadata.' },
);
export type File = Static<typeof File>;

const CreateFile = Type.Object(
  {
    deviceSerial: Type.Optional(text(shortTextLength)),
    deviceName: Type.Optional(
      Type.String({ ...text(shortTextLength), description: 'Instead of `deviceSerial`; a serial is accepted too.' }),
    ),
    filename: filledText(longestFilename, 'dawn.flac'),
    fileSize: Type.Integer({ minimum: 0, maximum: largestFileBytes, examples: [0] }),
    sHA256Hash,
  },
  { title: 'CreateFile' },
);
export type CreateFile = Static<typeof CreateFile>;

const params = { fileID: PathKey };
const signed = {
  person: Type.Optional(Type.Integer({ ...Key, description: 'As in the signed URL.' })),
  apiKey: Type.Optional(Type.Integer({ ...Key, description: 'As in the signed URL.' })),
  session: Type.Optional(Type.Integer({ ...Key, description: 'As in the signed URL.' })),
  expires: Type.Optional(Type.Integer({ ...Counter, description: 'As in the signed URL.' })),
  signature: Type.Optional(Type.String({ ...text(shortTextLength), description: 'As in the signed URL.' })),
};

export const createFile = operation('file', {
  method: 'POST',
  path: '/v1/file',
  repetition: 'secret',
  summary: 'Start the upload of a file',
  description: [
    'PUT the bytes to `signedURL`, which is valid for an hour, while you may change the file and the API key or session with which you got it exists, and needs no credentials, then call `POST /v1/file/success/{id}`. ' +
      'With a device, the file belongs to that device; without one, to you.',
    'If the address is on this server, an interrupted PUT can be resumed: `HEAD` returns `Upload-Offset`, and a PUT ' +
      'with `Content-Range: bytes <offset>-<last>/<size>` continues from there. The address may also be in the ' +
      'object store behind this server, which accepts the bytes in one PUT.',
    'A file that is not made available within a day is removed. So is, after a week, a file of a device that no clip ' +
      'and no collection uses. A collection uses the files that their owner or an admin placed in it.',
  ].join('\n\n'),
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceSerial' }],
  body: CreateFile,
  answer: File,
  trail: 'A first upload is no change of the record.',
});

export const createTemporaryFile = operation('file', {
  method: 'POST',
  path: '/v1/file/temp',
  repetition: 'secret',
  summary: 'Start the upload of a file that is removed after a day',
  description:
    `Like \`POST /v1/file\`. The file is removed ${temporaryHours} hours after this request, unless a clip or a ` +
    'collection uses it by then, as for `POST /v1/file`.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'body.deviceSerial' }],
  body: CreateFile,
  answer: File,
  trail: 'A first upload is no change of the record.',
});

export const uploadFile = operation('file', {
  method: 'PUT',
  path: '/v1/file/{fileID}/upload',
  summary: 'Upload the bytes of a file, or some of them',
  description:
    'Use the address in `signedURL`. Without `Content-Range` the body is the whole file. ' +
    '`Upload-Offset` in the response is the number of bytes received. If a range does not begin at that offset: 409.',
  access: 'anyone',
  acts: [{ record: 'file', right: 'write', by: 'params.fileID' }],
  params,
  query: signed,
  headers: {
    'content-range': Type.Optional(
      Type.String({
        pattern: String.raw`^bytes \d{1,12}-\d{1,12}/\d{1,12}$`,
        description: '`bytes first-last/size`, such as `bytes 0-499/1000`.',
      }),
    ),
  },
  bytes: 'received',
  errors: [403, 404, 409],
  trail: 'A first upload is no change of the record.',
});

export const getUploadOffset = operation('file', {
  method: 'HEAD',
  path: '/v1/file/{fileID}/upload',
  summary: 'Read how many bytes of a file were received',
  description: 'Returns `Upload-Offset`; use the address in `signedURL`.',
  access: 'anyone',
  acts: [{ record: 'file', right: 'write', by: 'params.fileID' }],
  params,
  query: signed,
  errors: [403, 404, 409],
});

export const finishFile = operation('file', {
  method: 'POST',
  path: '/v1/file/success/{fileID}',
  repetition: 'harmless',
  summary: 'Check the bytes of a file and make it available',
  description:
    'Size and SHA-256 must be those that were announced. If they are not: 409, the bytes are discarded, and the ' +
    'file waits for them again. A repeated call: 200.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'file', right: 'write', by: 'params.fileID' }],
  params,
  answer: File,
  errors: [409],
  trail: 'A first upload is no change of the record.',
});

export const getFile = operation('file', {
  method: 'GET',
  path: '/v1/file/{fileID}',
  summary: 'Read the metadata of a file',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'file', right: 'read', by: 'params.fileID' }],
  params,
  answer: File,
});

export const getFileContent = operation('file', {
  method: 'GET',
  path: '/v1/file/{fileID}/content',
  summary: 'Download a file',
  description: 'If the file is not available yet: 409.',
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [{ record: 'file', right: 'read', by: 'params.fileID' }],
  params,
  bytes: 'sent',
  errors: [409],
  trail: ['file-downloaded'],
});

export const downloadFile = operation('file', {
  method: 'GET',
  path: '/v1/file/{fileID}/download',
  summary: 'Download a file by its address',
  description: 'Use the address in `fileLocation` of an available file.',
  access: 'anyone',
  acts: [{ record: 'file', right: 'read', by: 'params.fileID' }],
  params,
  query: signed,
  bytes: 'sent',
  errors: [403, 404, 409],
  trail: ['file-downloaded'],
});

export const deleteFile = operation('file', {
  method: 'DELETE',
  path: '/v1/file/{fileID}',
  summary: 'Remove a file',
  description:
    'While a clip uses it: 409; remove the clip instead. A file that is former sound of a clip is deleted as a ' +
    'version of it, by its owner or an admin. ' +
    'The result of an export may also be removed by the person who asked for it, with the right to read.',
  access: 'caller',
  acts: [{ record: 'file', right: 'write', by: 'params.fileID' }],
  params,
  errors: [409],
  trail: ['file-removed', 'version-removed'],
});
