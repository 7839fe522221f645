import type { Access, Act, Operation, Right } from '@earshot/contract/operation';
import type { CredentialName } from './caller.ts';
import type { KindFixture, Standing } from './fixtures.ts';
import { actName, standings } from './fixtures.ts';
import { answersRecords, isOptional, readingOf, requestGaps } from './request.ts';

/** The record that the request names for an act: one of some standing, one that does not exist, or none. */
export type Target = Standing | 'unknown' | 'left out';

/** One row of the table: the caller, the request, and the response that CONTRACT.md requires. */
export interface Row {
  readonly operation: string;
  readonly situation: string;
  readonly credential: CredentialName;
  /** One for each act of the operation. */
  readonly targets: readonly Target[];
  readonly answer: 'success' | readonly number[];
  /** Sent in place of the example of the declaration. */
  readonly body?: unknown;
  /** For a list: the records, by standing, that it must contain, and those that it must not. */
  readonly listed?: { readonly contains: readonly Standing[]; readonly lacks: readonly Standing[] };
}

export interface Plan {
  readonly rows: readonly Row[];
  /** Why operations are missing from the table. Any reason fails the test. */
  readonly gaps: readonly string[];
}

export type Kinds = Readonly<Record<string, Omit<KindFixture, 'make'>>>;
export type OperationList = readonly (readonly [string, Operation])[];
type Line = Omit<Row, 'operation'>;

export function planAccess(operations: OperationList, kinds: Kinds): Plan {
  const plans = operations.map(([name, operation]) => {
    const gaps = gapsOf(operation, kinds);
    const lines = gaps.length > 0 ? [] : linesOf(operation, kinds);
    return {
      rows: lines.map((line) => ({ operation: name, ...line })),
      gaps: gaps.map((gap) => `${name}: ${gap}`),
    };
  });
  return { rows: plans.flatMap(({ rows }) => rows), gaps: plans.flatMap(({ gaps }) => gaps) };
}

function gapsOf(operation: Operation, kinds: Kinds): readonly string[] {
  const known: readonly Access[] = ['anyone', 'session', 'admin', 'caller', 'agent'];
  const named = [...operation.acts.map(({ record }) => record), ...(operation.lists ? [operation.lists] : [])];
  const unknown = new Set(named.filter((kind) => !Object.hasOwn(kinds, kind)));
  const unspelt = operation.acts.filter(
    (act) => readingOf(operation, act) === 'text' && !kinds[act.record]?.names.includes(actName(act)),
  );
  return [
    ...(known.includes(operation.access) ? [] : [`the access ${operation.access} is unknown`]),
    ...[...unknown].map((kind) => `there is no fixture for the record kind ${kind}`),
    ...unspelt.filter(({ record }) => !unknown.has(record)).map(({ by }) => `no fixture has a text for ${by}`),
    ...(operation.lists && !answersRecords(operation) ? ['its list is not one of records with keys'] : []),
    ...requestGaps(operation),
  ];
}

function linesOf(operation: Operation, kinds: Kinds): readonly Line[] {
  const lines = operation.access === 'anyone' ? openLines(operation) : closedLines(operation, kinds);
  // Unimplemented operations answer so to every caller with credentials.
  if (!operation.errors.includes(501)) return lines;
  return lines.map((line) => (line.answer === 'success' ? { ...line, answer: [501] } : line));
}

function closedLines(operation: Operation, kinds: Kinds): readonly Line[] {
  return [
    ...credentialLines(operation),
    ...deviceKeyLines(operation),
    ...adminLines(operation, kinds),
    ...(operation.access === 'admin' ? [] : standingLines(operation, kinds)),
    ...unknownRecordLines(operation),
    ...wholeListLines(operation, kinds),
  ];
}

const all = ({ acts }: Operation, target: Target): readonly Target[] => acts.map(() => target);
const oneOf = ({ acts }: Operation, index: number, target: Target): readonly Target[] =>
  acts.map((_act, at) => (at === index ? target : 'own'));
const hidden = (act: Act): readonly number[] => [act.hidden ?? 404];
const denied = (act: Act): readonly number[] => [act.denied ?? 403];

/** If a wrong token or password is part of the operation, its declaration has a 401 of its own. */
function openLines(operation: Operation): readonly Line[] {
  const judges = operation.errors.includes(401);
  const [act] = operation.acts;
  const open = act ? hidden(act) : 'success';
  const answer = judges ? operation.errors.filter((status) => status === 401 || status === 409) : open;
  const line = { targets: all(operation, 'unknown') };
  return [
    { ...line, situation: 'without credentials', credential: 'nobody', answer },
    { ...line, situation: 'in an expired session', credential: 'expired session', answer },
    ...(operation.sameOrigin
      ? [{ ...line, situation: 'from another site', credential: 'nobody from another site', answer: [403] } as const]
      : []),
  ];
}

function credentialLines(operation: Operation): readonly Line[] {
  const { access } = operation;
  const line = { targets: all(operation, 'own') };
  const asAdmin = access === 'admin' ? 'admin ' : '';
  const byKey = access === 'caller' || access === 'agent' ? 'success' : [403];
  return [
    { ...line, situation: 'without credentials', credential: 'nobody', answer: [401] },
    { ...line, situation: 'in an expired session', credential: 'expired session', answer: [419] },
    { ...line, situation: 'with a deleted API key', credential: 'deleted key', answer: [401] },
    { ...line, situation: 'from another site', credential: `${asAdmin}session from another site`, answer: [403] },
    { ...line, situation: 'with an API key', credential: `${asAdmin}key`, answer: byKey },
  ];
}

/** Its example changes the times of a clip with sound, which a device key may not. */
const isRefusedToDevices = ({ method, path }: Operation): boolean =>
  method === 'PUT' && path === '/v1/audioclip/{audioClipID}';

export const isOpenToWriteOnly = ({ writeOnlyKeys }: Operation): boolean =>
  writeOnlyKeys === 'allowed' || writeOnlyKeys === 'sets';

/** What a write-only key may not do where it may set fields. */
const readingPatches = [
  [{ op: 'test', path: '', value: {} }],
  [{ op: 'copy', from: '/key', path: '/bitrate' }],
  [{ op: 'move', from: '/bitrate', path: '/fileSize' }],
  [
    { op: 'add', path: '/bitrate', value: 1 },
    { op: 'remove', path: '/bitrate' },
  ],
];

function deviceKeyLines(operation: Operation): readonly Line[] {
  const { access, acts, writeOnlyKeys } = operation;
  const line = { targets: all(operation, 'own') };
  const own = { ...line, situation: 'with the key of the device', credential: 'own device key' } as const;
  const other = { ...line, situation: 'with the key of another device', credential: 'other device key' } as const;
  const writing = { ...line, situation: 'with a write-only key of the device', credential: 'write-only key' } as const;
  const away = {
    ...writing,
    situation: 'with a write-only key of another device',
    credential: 'other write-only key',
  } as const;
  const isOpen = isOpenToWriteOnly(operation);
  if (access !== 'agent') return [own, other, writing].map((each) => ({ ...each, answer: [403] }));
  const hiddenFromOther = acts[0] ? hidden(acts[0]) : 'success';
  return [
    { ...own, answer: isRefusedToDevices(operation) ? [409] : 'success' },
    { ...other, answer: hiddenFromOther },
    { ...writing, answer: isOpen ? (isRefusedToDevices(operation) ? [409] : 'success') : [403] },
    { ...away, answer: isOpen ? hiddenFromOther : [403] },
    ...(writeOnlyKeys === 'sets' ? readingPatches.map((body) => ({ ...writing, body, answer: [403] })) : []),
  ];
}

function adminLines(operation: Operation, kinds: Kinds): readonly Line[] {
  const closed = operation.acts.find(({ record }) => !kinds[record]?.openToAdmin);
  const line = { targets: all(operation, 'none'), situation: 'by an admin', credential: 'admin session' } as const;
  const byMember = {
    ...line,
    targets: all(operation, 'own'),
    situation: 'by a member',
    credential: 'session',
  } as const;
  return [
    { ...line, answer: closed ? hidden(closed) : 'success' },
    ...(operation.access === 'admin' ? [{ ...byMember, answer: [403] }] : []),
  ];
}

const situations: Readonly<Record<Standing, string>> = {
  none: "with another member's record",
  read: 'by a reader',
  write: 'by a writer',
  own: 'by the owner',
};

/** Each act alone on somebody else's record, then all acts on records that are shared or owned. */
function standingLines(operation: Operation, kinds: Kinds): readonly Line[] {
  const { acts } = operation;
  if (acts.length === 0) return [{ situation: 'by a member', credential: 'session', targets: [], answer: 'success' }];
  const foreign = acts.map((_act, index) => ({ standing: 'none' as const, targets: oneOf(operation, index, 'none') }));
  const lent = (['read', 'write', 'own'] as const).map((standing) => ({ standing, targets: all(operation, standing) }));
  return [...foreign, ...lent].map(({ standing, targets }, index) => {
    const which = standing === 'none' && acts.length > 1 ? ` in ${acts[index]?.by}` : '';
    const answer = answerTo(operation, kinds, targets);
    const kind = operation.lists && kinds[operation.lists];
    const isSeen = kind?.gives(standing) !== 'none';
    const listed = isSeen ? { contains: [standing], lacks: [] } : { contains: [], lacks: [standing] };
    return {
      situation: situations[standing] + which,
      credential: 'session',
      targets,
      answer,
      ...(kind && answer === 'success' ? { listed } : {}),
    };
  });
}

const rank: Readonly<Record<Standing, number>> = { none: 0, read: 1, write: 2, own: 3 };

function answerTo({ acts }: Operation, kinds: Kinds, targets: readonly Target[]): Row['answer'] {
  const given = acts.map((act, index) => kinds[act.record]?.gives(targets[index] as Standing) ?? 'none');
  const unseen = acts.find((_act, index) => given[index] === 'none');
  if (unseen) return hidden(unseen);
  const lacks = (right: Right, index: number) => rank[given[index] ?? 'none'] < rank[right];
  const short = acts.find(({ right }, index) => lacks(right, index));
  return short ? denied(short) : 'success';
}

function unknownRecordLines(operation: Operation): readonly Line[] {
  const credential = operation.access === 'admin' ? 'admin session' : 'session';
  return operation.acts.map((act, index) => ({
    situation: `with an unknown record in ${act.by}`,
    credential,
    targets: oneOf(operation, index, 'unknown'),
    answer: hidden(act),
  }));
}

/** A list that can be requested without naming a record contains exactly the records that the caller may read. */
function wholeListLines(operation: Operation, kinds: Kinds): readonly Line[] {
  const kind = operation.lists && kinds[operation.lists];
  if (!kind || operation.access === 'admin' || !operation.acts.every((act) => isOptional(operation, act))) return [];
  const line = { targets: all(operation, 'left out'), answer: 'success' } as const;
  const seen = standings.filter((standing) => kind.gives(standing) !== 'none');
  const forMember = { contains: seen, lacks: standings.filter((standing) => !seen.includes(standing)) };
  const forAdmin = kind.openToAdmin ? { contains: standings, lacks: [] } : { contains: [], lacks: standings };
  const forDevice = { contains: ['own'], lacks: ['none', 'read', 'write'] } as const;
  const forOther = { contains: [], lacks: standings };
  const { access } = operation;
  return [
    { ...line, situation: 'listing all, by a member', credential: 'session', listed: forMember },
    { ...line, situation: 'listing all, by an admin', credential: 'admin session', listed: forAdmin },
    ...(access === 'caller' || access === 'agent'
      ? [{ ...line, situation: 'listing all, with an API key', credential: 'key', listed: forMember } as const]
      : []),
    ...(access === 'agent'
      ? ([
          {
            ...line,
            situation: 'listing all, with the key of the device',
            credential: 'own device key',
            listed: forDevice,
          },
          {
            ...line,
            situation: 'listing all, with the key of another device',
            credential: 'other device key',
            listed: forOther,
          },
        ] as const)
      : []),
    ...(isOpenToWriteOnly(operation)
      ? [
          {
            ...line,
            situation: 'listing all, with a write-only key of the device',
            credential: 'write-only key',
            listed: forDevice,
          } as const,
        ]
      : []),
  ];
}
