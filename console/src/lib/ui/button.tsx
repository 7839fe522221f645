import type { ComponentChildren } from 'preact';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

interface ButtonProps {
  readonly children?: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'plain' | 'quiet' | 'danger';
  readonly type?: 'button' | 'submit';
  readonly busy?: boolean;
  readonly small?: boolean;
  /** For screen readers, where the visible text is missing or too short. */
  readonly label?: string;
  readonly onClick?: () => void;
}

export function Button({ children, icon, kind = 'plain', type = 'button', busy, small, label, onClick }: ButtonProps) {
  const classes = ['button', kind, small && 'small', children === undefined && 'bare'].filter(Boolean).join(' ');
  return (
    <button
      class={classes}
      type={type}
      aria-label={label}
      title={children === undefined ? label : undefined}
      aria-disabled={busy ? 'true' : undefined}
      onClick={busy ? undefined : onClick}
    >
      {icon && <Icon name={icon} />}
      {children !== undefined && <span>{children}</span>}
    </button>
  );
}

interface LinkButtonProps {
  readonly href: string;
  readonly children: ComponentChildren;
  readonly icon?: IconName;
  readonly kind?: 'primary' | 'plain' | 'quiet';
}

export function LinkButton({ href, children, icon, kind = 'plain' }: LinkButtonProps) {
  return (
    <a class={`button ${kind}`} href={href}>
      {icon && <Icon name={icon} />}
      <span>{children}</span>
    </a>
  );
}
