/*
 * Files come from strangers and are served from the address of the console. So nothing is ever served as something
 * that a browser would run: sound keeps its type, plain text is offered for saving, and all else is bytes.
 */

const sound = /^audio\/[a-z0-9][a-z0-9.+-]*$/;

export function safeHeaders(contentType: string, filename: string): Record<string, string> {
  const type = contentType.toLowerCase();
  const isSound = sound.test(type);
  return {
    'content-type': isSound ? type : type.startsWith('text/plain') ? 'text/plain; charset=utf-8' : bytes,
    'content-disposition': disposition(isSound ? 'inline' : 'attachment', filename),
    // Enough for the browser's own player, in an origin of its own.
    'content-security-policy':
      "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  };
}

const bytes = 'application/octet-stream';

// Path separators, control characters, and those that turn the direction of writing and so hide an extension.
const unwelcome = /[/\\\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** RFC 6266, with the name in RFC 8187's form for those who read it and in plain letters for the others. */
function disposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.replaceAll(unwelcome, '_').replace(/^\.+/, '_') || 'file';
  const plain = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
