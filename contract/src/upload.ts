import type { Static } from 'typebox';
import { Type } from 'typebox';
import { largestFileBytes } from './file.ts';
import { operation, readsOnly } from './operation.ts';
import { Counter, DateTime, Key, largestInteger, PathKey, shortTextLength, text } from './values.ts';

/*
 * Uploads of recordings by tus 1.0.0 (https://tus.io/protocols/resumable-upload): core, creation, creation-with-upload,
 * termination, expiration and checksum.
 */

export const tusVersion = '1.0.0';
const tusExtensions = ['creation', 'creation-with-upload', 'termination', 'expiration', 'checksum'] as const;
/** The algorithms of `Upload-Checksum`. */
export const checksumAlgorithms = ['sha256', 'sha1'] as const;
export const uploadContentType = 'application/offset+octet-stream';

/** Names the clip in the response that completes an upload, and in each later HEAD. */
export const clipIdHeader = 'Earshot-Clip-Id';
/** In a response with the key of the clip: what the upload did. */
export const clipResultHeader = 'Earshot-Clip-Result';
/** A new clip; a clip that had no sound and got it; or a clip that had this sound before. */
export const clipResults = ['created', 'completed', 'existing'] as const;
export type ClipResult = (typeof clipResults)[number];

/** An upload that is not complete after this time is removed. */
export const uploadLifetimeSeconds = 86_400;
export const mostOpenUploads = 10_000;
/** The announced sizes of all open uploads of a person together: 1 TiB. */
export const mostOpenBytes = 1_099_511_627_776;
/** In pieces of this size, or of a multiple of it, every storage writes each byte only once. */
export const uploadPieceBytes = 8_388_608;

const longestMetadata = 8_000;
const mostHashes = 1_000;

const tusResumable = Type.Optional(
  Type.String({ ...text(20, tusVersion), description: `\`${tusVersion}\`, otherwise 412.` }),
);
const uploadChecksum = Type.Optional(
  Type.String({
    maxLength: 200,
    description: `\`<algorithm> <checksum of the body in Base64>\`; the algorithm is ${checksumAlgorithms.join(' or ')}.`,
  }),
);
const uploadOffset = Type.Integer({
  minimum: 0,
  maximum: largestInteger,
  examples: [0],
  description: 'The number of bytes that the server has, as HEAD returns it.',
});

const uploadMetadata = Type.Optional(
  Type.String({
    maxLength: longestMetadata,
    examples: ['filename ZGF3bi53YXY=,deviceSerial cmVjb3JkZXItMTc='],
    description:
      'Pairs of a name and a value in Base64, separated by commas. `deviceID` or `deviceSerial` names the device (not ' +
      'needed with a device key). `startDate` says when the recording began, as a date-time with an offset; when it is ' +
      'missing, the start is read from the file: GUANO, BWF, comments of AudioMoth, its name (`filename`), ID3, then ' +
      '`lastModifiedDate`, then the time of the upload. Times without a zone are read as UTC. `sha256` (64 hexadecimal ' +
      'digits) is compared with the bytes at the end. `grownFrom` is the key of a clip of the same device that this one ' +
      'continues, because the same file grew after its upload. `filetype` and other names are kept and ignored.',
  }),
);

const fixedHeaders = { 'tus-resumable': tusVersion };
const tusHeader = { 'Tus-Resumable': `\`${tusVersion}\`.` };
const expires = { 'Upload-Expires': 'When the upload is removed.' };
const offset = { 'Upload-Offset': 'The number of bytes that the server has.' };
const params = { uploadID: PathKey };
const resultText =
  `\`${clipResultHeader}\`: \`created\` (a new clip), \`completed\` (a clip that had no sound got it) or \`existing\` (the ` +
  'clip had this sound before)';
const clipText =
  `The response to the last bytes has \`${clipIdHeader}\`, the key of the clip, and ${resultText}. If the bytes are no sound (415), sound of ` +
  'more than 24 hours (413) or not those of the given `sha256` (460), the upload is removed.';

export const describeUploads = operation('upload', {
  method: 'OPTIONS',
  path: '/v1/upload',
  summary: 'Read what this server supports of tus',
  access: 'anyone',
  acts: [],
  success: { status: 204, text: 'The headers describe the server.' },
  fixedHeaders: {
    ...fixedHeaders,
    'tus-version': tusVersion,
    'tus-extension': tusExtensions.join(','),
    'tus-max-size': String(largestFileBytes),
    'tus-checksum-algorithm': checksumAlgorithms.join(','),
  },
  answerHeaders: {
    ...tusHeader,
    'Tus-Version': 'The supported versions.',
    'Tus-Extension': 'The supported extensions.',
    'Tus-Max-Size': 'The largest upload in bytes.',
    'Tus-Checksum-Algorithm': 'The algorithms of `Upload-Checksum`.',
  },
});

export const createUpload = operation('upload', {
  method: 'POST',
  path: '/v1/upload',
  repetition: 'differs',
  summary: 'Start the upload of a recording',
  description: [
    'For any client of tus 1.0.0, with an API key or in a web session: give it this address as its endpoint. PATCH the ' +
      'bytes to `Location`, in one request or in several, and ask for the offset with HEAD after an interruption. ' +
      'The request may already contain the first bytes, or all.',
    'When all bytes are there, they become the sound of a clip of the device, exactly as with ' +
      `\`PUT /v1/audioclip/{id}/content\`. ${clipText} If the device has a clip of the same given start with the same ` +
      'bytes, that clip is the answer. An announced clip of the same start gets the sound; a clip with other sound moves ' +
      'the start of the new one by a millisecond, and the given start is kept (`GET /v1/audioclip/{id}/recording`).',
    `An upload that is not complete after a day is removed (\`Upload-Expires\`). A person has at most ` +
      `${mostOpenUploads.toLocaleString('en')} open uploads, of 1 TiB together. A piece may have any size; an object store ` +
      `writes each byte only once if pieces have ${uploadPieceBytes.toLocaleString('en')} bytes or a multiple of that.`,
    'A recording is one upload: concatenation is not supported, and a request with `Upload-Concat` is refused (400).',
  ].join('\n\n'),
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'device', right: 'write', by: 'headers.upload-metadata' }],
  headers: {
    'tus-resumable': tusResumable,
    'upload-length': Type.Integer({
      minimum: 1,
      maximum: largestInteger,
      examples: [8044],
      description: `The size of the recording in bytes, at most ${largestFileBytes}.`,
    }),
    'upload-metadata': uploadMetadata,
    'upload-checksum': uploadChecksum,
    'upload-concat': Type.Optional(Type.String({ maxLength: longestMetadata, description: 'Not supported: 400.' })),
  },
  bytes: 'received',
  bytesType: uploadContentType,
  bytesOptional: true,
  success: { status: 201, text: 'Created. `Location` is the address of the upload.' },
  fixedHeaders,
  answerHeaders: { ...tusHeader, ...offset, ...expires, Location: 'The address of the upload.' },
  errors: [409, 410, 412, 460],
  trail: 'A first upload is no change of the record.',
});

export const getUpload = operation('upload', {
  method: 'HEAD',
  path: '/v1/upload/{uploadID}',
  summary: 'Read how many bytes of an upload were received',
  description:
    `Returns \`Upload-Offset\`, \`Upload-Length\` and \`Upload-Metadata\`; for a complete upload also \`${clipIdHeader}\`. ` +
    'If all bytes had arrived but the clip was not stored, because the server stopped or was busy, it is stored now.',
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'upload', right: 'write', by: 'params.uploadID' }],
  params,
  headers: { 'tus-resumable': tusResumable },
  asPost: true,
  fixedHeaders,
  answerHeaders: { ...tusHeader, ...offset, ...expires, 'Upload-Length': 'The size of the recording in bytes.' },
  errors: [409, 410, 412, 413, 415, 460],
});

export const appendUpload = operation('upload', {
  method: 'PATCH',
  path: '/v1/upload/{uploadID}',
  summary: 'Send bytes of an upload',
  description:
    'If `Upload-Offset` is not the number of bytes that the server has, or another request sends bytes at the same time: ' +
    '409, with `Upload-Offset`; continue from there. A byte beyond the end of the upload is refused (413), also when the ' +
    `upload is complete. ${clipText}`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'upload', right: 'write', by: 'params.uploadID' }],
  params,
  headers: { 'tus-resumable': tusResumable, 'upload-offset': uploadOffset, 'upload-checksum': uploadChecksum },
  bytes: 'received',
  bytesType: uploadContentType,
  success: { status: 204, text: 'Stored. `Upload-Offset` is the new number of bytes.' },
  asPost: true,
  fixedHeaders,
  answerHeaders: { ...tusHeader, ...offset, ...expires },
  errors: [409, 410, 412, 460],
  trail: 'A first upload is no change of the record.',
});

export const deleteUpload = operation('upload', {
  method: 'DELETE',
  path: '/v1/upload/{uploadID}',
  summary: 'End an upload and remove its bytes',
  description:
    `A complete upload is only forgotten: its clip stays. The response then has \`${clipIdHeader}\` and ` +
    `${resultText}, so that a client that did not receive the response to the last bytes learns of the clip.`,
  access: 'agent',
  writeOnlyKeys: 'allowed',
  acts: [{ record: 'upload', right: 'write', by: 'params.uploadID' }],
  params,
  headers: { 'tus-resumable': tusResumable },
  success: { status: 204, text: 'Removed.' },
  asPost: true,
  fixedHeaders,
  answerHeaders: tusHeader,
  errors: [412],
  trail: 'It removes an upload that has not become sound of a clip.',
});

const Hash = Type.String({
  pattern: '^[0-9A-Fa-f]{64}$',
  maxLength: 64,
  examples: ['e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855'],
  description: 'SHA-256 as 64 hexadecimal digits.',
});

const GivenRecording = Type.Object(
  {
    deviceID: Type.Optional(Key),
    deviceSerial: Type.Optional(text(shortTextLength, 'recorder-17')),
    startDate: Type.String({
      ...DateTime,
      description:
        'When the recording began, as the upload would give it. If the recording itself is to tell its start, the start ' +
        'that the server would read from it: see `startDate` of `POST /v1/upload`.',
    }),
    sHA256Hash: Hash,
  },
  {
    title: 'GivenRecording',
    description: 'The device is named by `deviceID`, else by `deviceSerial`; a device key need not name it.',
  },
);
export type GivenRecording = Static<typeof GivenRecording>;

const KnownQuestion = Type.Object(
  {
    recordings: Type.Optional(Type.Array(GivenRecording, { minItems: 1, maxItems: mostHashes })),
    hashes: Type.Optional(
      Type.Array(Hash, {
        maxItems: mostHashes,
        examples: [],
        description: 'Instead of `recordings`, for clients of version 0.1: equal bytes are not the same recording.',
      }),
    ),
  },
  { title: 'KnownQuestion' },
);
export type KnownQuestion = Static<typeof KnownQuestion>;

const KnownRecording = Type.Object(
  {
    recordingIndex: Type.Optional(
      Type.Integer({ ...Counter, description: 'The place of the recording in `recordings`, from 0.' }),
    ),
    sHA256Hash: Type.String({ description: 'In lower case.' }),
    audioClipID: Key,
    deviceID: Key,
    isStored: Type.Optional(
      Type.Boolean({
        description:
          'With `recordings`: whether it need not be uploaded. False: retention has removed the sound; the recording can be ' +
          'uploaded again, and the same clip gets it. True also if a person replaced the sound or took it away: it does not ' +
          'come back.',
      }),
    ),
  },
  { title: 'KnownRecording', description: 'A clip that is this recording, or, with `hashes`, whose sound is equal.' },
);
export type KnownRecording = Static<typeof KnownRecording>;

/** With `hashes`: of clips with the same sound at most this many are listed. */
export const mostKnownClips = 10;

export const findKnownUploads = operation('upload', {
  method: 'POST',
  path: '/v1/upload/known',
  summary: 'Find recordings that are already stored',
  description:
    'Which of these recordings are clips that you may read, so that a recording is not uploaded twice. The same recording ' +
    'is: the same device, the same start as the sender gave it (to the millisecond) and the same bytes. The answer lists ' +
    `only those that are known, one clip for each. With \`hashes\` instead: clips of any device and start with equal ` +
    `bytes, at most ${mostKnownClips} for each hash.`,
  access: 'agent',
  writeOnlyKeys: 'refused',
  acts: [],
  body: KnownQuestion,
  answer: Type.Array(KnownRecording),
  trail: readsOnly,
});
