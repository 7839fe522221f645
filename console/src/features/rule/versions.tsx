import type { Rule, RuleVersion } from '@earshot/contract/rule';
import { WhenLoaded } from '../../lib/loaded.tsx';
import { useQuery } from '../../lib/query.ts';
import { signedInUser } from '../../lib/session.ts';
import { Section, UserText } from '../../lib/ui/elements.tsx';
import { Time } from '../../lib/ui/time.tsx';
import { ruleVersionsOf } from './data.ts';
import { useRuleNames } from './names.ts';
import { sentenceOf } from '@earshot/contract/rule-sentence';

/** What the rule said before, the newest first. */
export function RuleVersions({ rule }: { readonly rule: Rule }) {
  const versions = useQuery(ruleVersionsOf(rule.key ?? 0));
  const names = useRuleNames();
  const isMine = rule.userID === signedInUser().userID;
  return (
    <Section title="Versions">
      <WhenLoaded from={versions}>
        {(list) => (
          <ol class="rows">
            {list.map((version) => (
              <VersionRow
                key={version.version}
                version={version}
                isPresent={version.version === rule.version}
                sentence={sentenceOf(version, names, isMine)}
                person={version.changedBy === undefined ? '' : names.person(version.changedBy)}
              />
            ))}
          </ol>
        )}
      </WhenLoaded>
    </Section>
  );
}

interface VersionRowProps {
  readonly version: RuleVersion;
  readonly isPresent: boolean;
  readonly sentence: string;
  readonly person: string;
}

function VersionRow({ version, isPresent, sentence, person }: VersionRowProps) {
  return (
    <li class="row">
      <div class="row-body">
        <span class="row-main">
          <span class="row-title">
            Version {version.version}
            {isPresent && ' (present)'}: <UserText text={version.ruleName} />
          </span>
          <span class="rule-line">
            <UserText text={sentence} />
          </span>
          <span class="row-under">
            {version.isEnabled === false && <span>off</span>}
            {person !== '' && (
              <span>
                by <UserText text={person} />
              </span>
            )}
            {version.changeDate && <Time date={version.changeDate} />}
          </span>
        </span>
      </div>
    </li>
  );
}
