import type { RuleSeverity } from '@earshot/contract/rule';
import type { Template } from './http-templates.ts';
import { severityLevels } from './http-templates.ts';

const level = /^\{\{#(\w+)\}\}$/;
const placeholder = /\{\{(\w+)\}\}/g;

/** Puts values into the strings of a template: the result is a string or JSON, whatever the values contain. */
export function fillText(text: string, values: Readonly<Record<string, string>>): string {
  return text.replaceAll(placeholder, (_whole, name: string) => values[name] ?? '').trim();
}

export function fillTemplate(
  template: Template,
  values: Readonly<Record<string, string>>,
  severity: RuleSeverity,
): unknown {
  if (typeof template === 'string') {
    const scale = severityLevels[level.exec(template)?.[1] ?? ''];
    return scale ? scale[severity] : fillText(template, values);
  }
  if (Array.isArray(template))
    return (template as readonly Template[]).map((each) => fillTemplate(each, values, severity));
  if (typeof template !== 'object') return template;
  return Object.fromEntries(
    Object.entries(template).map(([name, value]) => [name, fillTemplate(value, values, severity)]),
  );
}
