import { ApiError } from '@earshot/client/api-error';
import { clipIdHeader, clipResultHeader, tusVersion } from '@earshot/contract/upload';

const longestRequestMs = 60_000;

/**
 * Ends an upload. Returns the clip that it had created, if its last bytes had arrived before. A finished upload is only
 * asked for its clip: DELETE would forget it, and if that response were lost, nobody could find the clip again.
 */
export async function endOwnUpload(location: string): Promise<number | undefined> {
  const found = await request('HEAD', location);
  if (found.ok && found.headers.has(clipIdHeader)) return createdClip(found);
  const response = await request('DELETE', location);
  if (response.status === 404 || response.status === 410) return undefined;
  if (!response.ok) throw ApiError.from(response, await response.text());
  return createdClip(response);
}

const request = (method: 'HEAD' | 'DELETE', location: string): Promise<Response> =>
  fetch(location, {
    method,
    headers: { 'tus-resumable': tusVersion },
    signal: AbortSignal.timeout(longestRequestMs),
  });

const createdClip = ({ headers }: Response): number | undefined =>
  headers.get(clipResultHeader) === 'created' ? Number(headers.get(clipIdHeader)) : undefined;
