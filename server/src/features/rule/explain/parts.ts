import type { ExplainedPart } from '@earshot/contract/rule-trial';
import type { RuleWhen } from '@earshot/contract/rule-when';
import { offsetOf } from '@earshot/contract/time-zone';
import { findMatch, readText } from '@earshot/contract/words/public';
import { isActiveAt } from '../core/active-times.ts';
import type { KnownFacts } from '../core/facts.ts';
import { judgeCall } from '../core/judge.ts';
import { lowerName } from '../core/tag-name.ts';
import type { Condition } from '../core/when.ts';
import { judgeCondition, readWhen, valueOf } from '../core/when.ts';
import type { Definition } from '../definition.ts';
import { outcomeOf } from './outcome.ts';

/** Each part of the rule with the value that the clip has, in the order of the rule. */
export function explainParts(
  { where, when, activeTimes }: Definition,
  facts: KnownFacts,
  isWatched: boolean,
  into: ReadonlyMap<number, number>,
): readonly ExplainedPart[] {
  const watching: ExplainedPart = {
    path: 'where',
    outcome: outcomeOf(isWatched),
    ...(isWatched ? {} : { reason: 'The rule does not look at this device, or its owner may not read it.' }),
  };
  const calls = (['talkgroups', 'units', 'isEmergency'] as const)
    .filter((part) => (Array.isArray(where?.[part]) ? where[part].length > 0 : where?.[part] !== undefined))
    .map((part): ExplainedPart => {
      const truth = judgeCall({ [part]: where![part] }, facts, into);
      const { call } = facts;
      const values = call && {
        talkgroups: call.talkgroup,
        units: call.units.join(', '),
        isEmergency: call.isEmergency,
      };
      return values
        ? { path: `where.${part}`, outcome: outcomeOf(truth), value: String(values[part]) }
        : { path: `where.${part}`, outcome: outcomeOf(truth), reason: 'The clip is no radio call.' };
    });
  return [watching, ...calls, ...explainWhen(when, 'when', facts), ...explainTimes(activeTimes, facts)];
}

function explainWhen(when: RuleWhen, path: string, facts: KnownFacts): readonly ExplainedPart[] {
  for (const group of ['all', 'any', 'none'] as const) {
    const entries = when[group];
    if (entries) return entries.flatMap((entry, at) => explainWhen(entry, `${path}.${group}[${at}]`, facts));
  }
  const condition = readWhen(when) as Condition;
  const name = condition.kind === 'tag' ? 'tagName' : condition.kind;
  return [
    {
      path: `${path}.${name}`,
      outcome: outcomeOf(judgeCondition(condition, facts)),
      ...describe(condition, facts),
    },
  ];
}

const units = { speechSeconds: ' s', lengthSeconds: ' s', levelDb: ' dBFS', clippedPercent: ' %' } as const;

function describe(condition: Condition, facts: KnownFacts): Pick<ExplainedPart, 'value' | 'reason'> {
  switch (condition.kind) {
    case 'state':
      return { reason: 'The rule is about a state of devices.' };
    case 'words':
      if (facts.text === undefined) return { reason: 'The clip is not transcribed.' };
      return describeWords(facts.text, condition);
    case 'tag': {
      const confidence = facts.tags.get(lowerName(condition.given.tagName ?? ''));
      if (confidence !== undefined) return { value: `${Math.round(confidence * 10) / 10} %` };
      return {
        reason: facts.isLabelled ? 'The clip does not have the tag.' : 'The sound of the clip is not labelled.',
      };
    }
    case 'anySound':
      if (!facts.hadSound) return { reason: 'The sound of the clip is not on the server.' };
      return facts.isSilent === undefined ? { reason: 'Its level is not measured.' } : {};
    case 'speechSeconds':
    case 'lengthSeconds':
    case 'levelDb':
    case 'clippedPercent': {
      const value = valueOf(facts, condition.kind);
      if (value !== undefined) return { value: `${Math.round(value * 10) / 10}${units[condition.kind]}` };
      return { reason: condition.kind === 'lengthSeconds' ? 'Its end is not known.' : 'The sound is not measured.' };
    }
  }
}

function describeWords(text: string, { terms }: Extract<Condition, { kind: 'words' }>) {
  const said = readText(text);
  const ranges = findMatch(said, terms);
  if (!ranges) return { reason: 'The transcript does not have these words.' };
  const found = ranges.map(([first, last]) =>
    said.words
      .slice(first, last + 1)
      .map((word) => word.text)
      .join(' '),
  );
  return { value: [...new Set(found)].slice(0, 10).join(', ') };
}

function explainTimes(times: Definition['activeTimes'], { startMs, timeZone }: KnownFacts): readonly ExplainedPart[] {
  return times.map((time, at) => {
    const zone = time.timeZone ?? timeZone ?? 'UTC';
    const wall = new Date(startMs + offsetOf(zone, startMs));
    return {
      path: `activeTimes[${at}]`,
      outcome: outcomeOf(isActiveAt([time], startMs, timeZone)),
      value: `${wall.toISOString().slice(0, 16).replace('T', ' ')} ${zone}`,
    };
  });
}
