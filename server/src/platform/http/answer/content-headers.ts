/*
 * Files are uploaded by others and served from the console's origin, so no file is served with a type that a browser
 * would execute: audio keeps its type, plain text is served as an attachment, everything else as octet-stream.
 */

const sound = /^audio\/[a-z0-9][a-z0-9.+-]*$/;

export function safeHeaders(contentType: string, filename: string): Record<string, string> {
  const type = contentType.toLowerCase();
  const isSound = sound.test(type);
  return {
    'content-type': isSound ? type : type.startsWith('text/plain') ? 'text/plain; charset=utf-8' : bytes,
    'content-disposition': disposition(isSound ? 'inline' : 'attachment', filename),
    // Permits what the browser's audio player needs, in a sandboxed origin.
    'content-security-policy':
      "default-src 'none'; media-src 'self'; style-src 'unsafe-inline'; sandbox; frame-ancestors 'none'",
  };
}

const bytes = 'application/octet-stream';

// Path separators, control characters, and characters that change the text direction and so can hide an extension.
const unsafeCharacters = /[/\\\p{Cc}\p{Cs}\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu;

/** RFC 6266: the name in the encoding of RFC 8187, and in ASCII for clients that do not support it. */
function disposition(kind: 'inline' | 'attachment', filename: string): string {
  const name = filename.replaceAll(unsafeCharacters, '_').replace(/^\.+/, '_') || 'file';
  const plain = name.replaceAll(/[^\x20-\x7e]|["%]/g, '_');
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (sign) => `%${sign.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
