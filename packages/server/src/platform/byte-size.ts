import { ApiError } from './errors.ts';

/** @param place Names the member of the body whose JSON has a limit. @throws ApiError 413 */
export function requireBytes(place: string, json: string, limit_bytes: number): void {
  const size_bytes = Buffer.byteLength(json);
  if (size_bytes <= limit_bytes) return;
  const limit = limit_bytes.toLocaleString('en');
  throw new ApiError(413, `${place} has more than ${limit} bytes`, { size_bytes, limit_bytes });
}
