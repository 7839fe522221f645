export function readBasic(encoded: string): { name: string; password: string } | undefined {
  const [name, password] = splitOnce(Buffer.from(encoded, 'base64').toString('utf8'), ':');
  return name !== undefined && password !== undefined ? { name, password } : undefined;
}

export function splitOnce(text: string, separator: string): [string, string?] {
  const at = text.indexOf(separator);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}
