import { UserText } from '../ui/elements.tsx';

interface Failure {
  readonly name: string;
  readonly why: string;
}

/** For which records something failed, by their names, and why. */
export function FailureList({ failures }: { readonly failures: readonly Failure[] }) {
  if (failures.length === 0) return null;
  return (
    <ul class="picker-list results" tabIndex={0} aria-label="Failures">
      {failures.map(({ name, why }, at) => (
        <li key={at}>
          <UserText text={name} />
          <span class="quiet">{why}</span>
        </li>
      ))}
    </ul>
  );
}
