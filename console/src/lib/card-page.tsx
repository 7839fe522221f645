import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';

interface CardPageProps {
  readonly title: string;
  readonly lead?: ComponentChildren;
  readonly children: ComponentChildren;
  readonly after?: ComponentChildren;
}

/** A page with one card, for use without a session: sign in, setup, password reset. */
export function CardPage({ title, lead, children, after }: CardPageProps) {
  useEffect(() => {
    document.title = `${title} · Earshot`;
  }, [title]);
  return (
    <main class="lone">
      <a class="brand" href="/">
        <img src="/pages/logo.svg" alt="" width={32} height={32} />
        Earshot
      </a>
      <div class="lone-card">
        <h1>{title}</h1>
        {lead && <div class="lead">{lead}</div>}
        {children}
      </div>
      {after && <div class="lone-after">{after}</div>}
    </main>
  );
}
