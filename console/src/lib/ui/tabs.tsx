import { useLayoutEffect, useRef } from 'preact/hooks';

interface Tab {
  readonly value: string;
  readonly label: string;
  readonly count?: number | string;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  readonly current: string;
  /** Each tab has its own address, so that it can be shared and is in the history. */
  readonly href: (value: string) => string;
}

export function Tabs({ label, tabs, current, href }: TabsProps) {
  const bar = useRef<HTMLElement>(null);
  // On a narrow screen the tabs scroll. `scrollIntoView` would also scroll the page.
  useLayoutEffect(() => {
    const tab = bar.current?.querySelector<HTMLElement>('[aria-current]');
    if (!bar.current || !tab) return;
    const [shown, wanted] = [bar.current.getBoundingClientRect(), tab.getBoundingClientRect()];
    if (wanted.right > shown.right) bar.current.scrollLeft += wanted.right - shown.right;
    else if (wanted.left < shown.left) bar.current.scrollLeft += wanted.left - shown.left;
  }, [current]);
  return (
    <nav class="tabs" aria-label={label} ref={bar}>
      {tabs.map(({ value, label: text, count }) => (
        <a key={value} class="tab" href={href(value)} aria-current={value === current ? 'page' : undefined}>
          {text}
          {count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly options: readonly { readonly value: Value; readonly label: string }[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** A group of buttons of which one is selected. */
export function Choice<Value extends string>({ label, options, value, onChange }: ChoiceProps<Value>) {
  return (
    <div class="choice" role="group" aria-label={label}>
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
        </button>
      ))}
    </div>
  );
}
