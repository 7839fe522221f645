/** An element with its content, limited to the XML that object stores use: no attributes, no mixed content. */
export interface XmlElement {
  /** Without the namespace prefix. */
  readonly name: string;
  readonly text: string;
  readonly children: readonly XmlElement[];
}

interface OpenElement {
  readonly name: string;
  text: string;
  readonly children: XmlElement[];
}

const token =
  /<!--[\s\S]*?-->|<\?[\s\S]*?\?>|<!\[CDATA\[([\s\S]*?)\]\]>|<(\/?)([A-Za-z_][\w.:-]*)((?:\s+[\w.:-]+\s*=\s*(?:"[^"<]*"|'[^'<]*'))*)\s*(\/?)>|([^<]+)/;

/** Parses a whole document; undefined if it is not well-formed or contains a document type. */
export function parseXml(document: string): XmlElement | undefined {
  const top: OpenElement = { name: '', text: '', children: [] };
  const open = [top];
  const text = document.replace(/^\uFEFF/, '');
  const tokens = new RegExp(token, 'y');
  while (tokens.lastIndex < text.length) {
    const match = tokens.exec(text);
    if (match === null) return undefined;
    const [, verbatim, slash, tag, , isEmpty, characters] = match;
    const current = open.at(-1)!;
    if (verbatim !== undefined) current.text += verbatim;
    else if (characters !== undefined) current.text += decode(characters);
    else if (tag !== undefined) {
      const name = tag.slice(tag.indexOf(':') + 1);
      if (slash === '') {
        const element: OpenElement = { name, text: '', children: [] };
        current.children.push(element);
        if (isEmpty === '') open.push(element);
      } else if (open.length === 1 || open.pop()!.name !== name) return undefined;
    }
  }
  const [root] = top.children;
  return open.length === 1 && top.children.length === 1 && top.text.trim() === '' ? root : undefined;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function decode(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([0-9A-Fa-f]{1,6})|(\w+));/g, (whole, decimal, hex, name) => {
    if (typeof name === 'string') return entities[name] ?? whole;
    const code = typeof decimal === 'string' ? Number(decimal) : Number.parseInt(String(hex), 16);
    return code <= 0x10_ffff ? String.fromCodePoint(code) : whole;
  });
}

export const childText = (element: XmlElement, name: string): string | undefined =>
  element.children.find((child) => child.name === name)?.text;

export const childrenNamed = (element: XmlElement, name: string): XmlElement[] =>
  element.children.filter((child) => child.name === name);

export const encodeXml = (text: string): string =>
  text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
