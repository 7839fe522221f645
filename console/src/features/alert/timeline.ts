import type { RuleAlertDetails } from '@earshot/contract/alert';
import type { EscalationStep } from '@earshot/contract/rule-act';
import type { RuleMatch } from '@earshot/contract/rule-match';

/** What happened with an alert, in the order of time. */
export interface AlertMoment {
  readonly ms: number;
  readonly text: string;
  readonly note?: string;
}

export interface MomentTexts {
  readonly person: (userID: number | undefined) => string;
  readonly act: (act: RuleAlertDetails['acts'][number]) => string;
}

const at = (date: string | undefined): number | undefined => (date === undefined ? undefined : Date.parse(date));

export function momentsOf(
  alert: RuleAlertDetails,
  matches: readonly RuleMatch[],
  { person, act }: MomentTexts,
): readonly AlertMoment[] {
  const { startTime = 0, startTimeMs = 0, lastStartTime, lastStartTimeMs = 0, creationDate, toldDate } = alert;
  const [first] = matches;
  const start = startTime * 1_000 + startTimeMs;
  const last = lastStartTime === undefined ? start : lastStartTime * 1_000 + lastStartTimeMs;
  const dated: readonly (readonly [ms: number | undefined, text: string, note?: string | undefined])[] = [
    [start, 'The first sound was made'],
    [at(first?.arrivedDate), 'It arrived'],
    [at(first?.transcribedDate), 'It was transcribed, as it is now'],
    [at(first?.judgedDate ?? creationDate), 'It was judged'],
    [at(toldDate), 'People were told'],
    ...(last > start ? [[last, 'The last sound was made'] as const] : []),
    ...alert.acts
      .filter(
        ({ action, refusal, escalation }) => escalation === undefined && (action !== 'notify' || refusal !== undefined),
      )
      .map((one) => [at(one.actDate), one.refusal ? `Not done: ${act(one)}` : act(one), one.refusal] as const),
    ...escalationsOf(alert.acts, person),
    ...(alert.state === 'open' || alert.stateDate === undefined
      ? []
      : [
          [
            at(alert.stateDate),
            `${alert.state === 'closed' ? 'Closed' : 'Acknowledged'} by ${closer(alert, person)}`,
          ] as const,
        ]),
    ...alert.notes.map(
      ({ creationDate: date, userID, note }) => [at(date), `Note by ${person(userID)}`, note] as const,
    ),
  ];
  return dated
    .flatMap(([ms, text, note]) => (ms === undefined ? [] : [{ ms, text, ...(note === undefined ? {} : { note }) }]))
    .toSorted((one, other) => one.ms - other.ms);
}

const stepTexts: Readonly<Record<EscalationStep, string>> = {
  nextDuty: 'Nobody acknowledged it: those were told who are on duty next',
  team: 'Nobody acknowledged it: the rest of the team was told',
  admins: 'Nobody acknowledged it: the admins were told',
};

/** Each step once, with the people who were told, or why nobody was. */
function escalationsOf(
  acts: RuleAlertDetails['acts'],
  person: MomentTexts['person'],
): readonly (readonly [ms: number | undefined, text: string, note: string | undefined])[] {
  return acts.flatMap((first, index) => {
    const { escalation, teamID, actDate, refusal } = first;
    if (escalation === undefined) return [];
    if (refusal !== undefined) return [[at(actDate), 'Nobody else was told', refusal]];
    const isOfStep = (one: typeof first | undefined) => one?.escalation === escalation && one.teamID === teamID;
    // Acts of one step follow each other.
    if (isOfStep(acts[index - 1])) return [];
    const people = acts.filter(isOfStep).map(({ userID }) => person(userID));
    return [[at(actDate), stepTexts[escalation], people.join(', ')]];
  });
}

function closer({ closeReason, stateBy, state }: RuleAlertDetails, person: MomentTexts['person']): string {
  if (state === 'closed' && closeReason === 'withdrawn')
    return 'the platform, because none of its matches holds any more';
  if (state === 'closed' && closeReason === 'ended')
    return 'the platform, because the states of its devices have ended';
  return stateBy === undefined ? 'the platform' : person(stateBy);
}
