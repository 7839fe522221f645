import type { ComponentChildren } from 'preact';
import { useEffect, useRef } from 'preact/hooks';
import type { IconName } from './icon.tsx';
import { Icon } from './icon.tsx';

export type Tone = 'good' | 'bad' | 'warn' | 'busy' | 'idle';

/** A state as coloured dot and text. */
export function Badge({ tone, children }: { readonly tone: Tone; readonly children: ComponentChildren }) {
  return (
    <span class={`badge ${tone}`}>
      <span class="dot" aria-hidden="true" />
      {children}
    </span>
  );
}

/** Text from users or devices. `bdi` isolates its writing direction from the text around it. */
export function UserText({ text }: { readonly text: string | undefined }) {
  return <bdi class="given">{text}</bdi>;
}

interface ProgressProps {
  readonly value: number;
  readonly label: string;
  readonly tone?: Tone;
}

export function Progress({ value, label, tone = 'busy' }: ProgressProps) {
  const percent = Math.max(0, Math.min(100, value));
  return (
    <span class="progress-line">
      <progress class={`progress ${tone}`} value={percent} max={100} aria-label={label} />
      <span class="figures" aria-hidden="true">
        {Math.round(percent)} %
      </span>
    </span>
  );
}

interface EmptyProps {
  readonly icon?: IconName;
  readonly title?: string;
  readonly children?: ComponentChildren;
  readonly action?: ComponentChildren;
}

/** Shown where there is no data: explains what belongs here, and the next step. */
export function Empty({ icon, title, children, action }: EmptyProps) {
  return (
    <div class="empty">
      {icon && <Icon name={icon} />}
      {title && <p class="empty-title">{title}</p>}
      {children && <div class="empty-text">{children}</div>}
      {action}
    </div>
  );
}

/** A placeholder while data loads. CSS shows it only after a short delay. */
export function Skeleton({ rows = 3 }: { readonly rows?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="unseen">Loading</span>
      {Array.from({ length: rows }, (_, index) => (
        <div key={index} class="skeleton-row" aria-hidden="true">
          <span class="skeleton-bar" />
          <span class="skeleton-bar short" />
        </div>
      ))}
    </div>
  );
}

interface PageHeadProps {
  readonly title: ComponentChildren;
  /** Shown in place of the title while that is edited. */
  readonly editor?: ComponentChildren;
  readonly under?: ComponentChildren;
  readonly actions?: ComponentChildren;
  readonly back?: { readonly href: string; readonly label: string };
}

/** The head of a page. Its title is also the title of the window. */
export function PageHead({ title, editor, under, actions, back }: PageHeadProps) {
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    document.title = `${heading.current?.textContent ?? ''} · Earshot`;
  });
  return (
    <header class="page-head">
      {back && (
        <p class="back">
          <a href={back.href} rel="up">
            <Icon name="back" />
            {back.label}
          </a>
        </p>
      )}
      <h1 class={editor ? 'unseen' : 'page-title'} ref={heading}>
        {title}
      </h1>
      {editor}
      {actions && <div class="page-actions">{actions}</div>}
      {under && <div class="page-under">{under}</div>}
    </header>
  );
}

interface SectionProps {
  readonly title: string;
  readonly count?: number | string;
  readonly action?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly bare?: boolean;
}

export function Section({ title, count, action, children, bare = false }: SectionProps) {
  return (
    <section class="section" aria-label={title}>
      <div class="section-head">
        <h2>
          {title}
          {count !== undefined && <span class="count">{count.toLocaleString('en')}</span>}
        </h2>
        {action}
      </div>
      {bare ? children : <div class="card">{children}</div>}
    </section>
  );
}
