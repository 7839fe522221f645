const mostChars = 200;

/** The server's error message in one line, without the key, which some servers repeat. */
export function explainAnswer(text: string, key: string | undefined): string {
  const said = findMessage(text)
    .replace(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const safe = key === undefined || key === '' ? said : said.replaceAll(key, '…');
  // OpenAI repeats the beginning and the end of a key.
  return safe.replace(/\bsk-[\w*-]+/g, '…').slice(0, mostChars);
}

/** Errors that have the status of a busy server, but for which a retry does not help. */
export const isOutOfCredit = (text: string): boolean =>
  /"(?:insufficient_quota|credit_balance_exhausted|billing_hard_limit_reached|ASR_PAYMENT_REQUIRED|(?:organization|project)_(?:spend|usage)_limit_exceeded)"/.test(
    text,
  );

function findMessage(text: string): string {
  let body: unknown;
  try {
    body = JSON.parse(text);
  } catch {
    // An HTML page of a proxy contains no useful message.
    return text.trimStart().startsWith('<') ? '' : text;
  }
  // OpenAI: error.message; whisper.cpp: error; Deepgram: err_msg, or message and details; speaches: detail.
  const { error, err_msg, message, details, detail } = (body ?? {}) as Record<string, unknown>;
  const first = Array.isArray(detail) ? (detail[0] as { msg?: unknown } | undefined)?.msg : detail;
  const nested = typeof error === 'string' ? error : (error as { message?: unknown } | null | undefined)?.message;
  const both = typeof message === 'string' && typeof details === 'string' ? `${message} ${details}` : message;
  return [nested, err_msg, both, first].find((value) => typeof value === 'string') ?? '';
}
