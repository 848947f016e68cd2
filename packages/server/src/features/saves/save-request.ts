import { MAX_SAVE_BYTES, MAX_SAVE_NESTING, putSave } from '@overworld/contract/saves';
import type { BodyOf } from '@overworld/contract/operation';
import { ApiError, badRequest } from '../../platform/errors.ts';
import { measureCompactBytes, sliceMember } from '../../platform/http/json-member.ts';
import { findUnstorable, parseJson } from '../../platform/http/json-text.ts';
import { compileBody } from '../../platform/http/validation.ts';
import type { PutRequest } from './save-rules.ts';

/** A PUT as it was sent. */
export type SentSave = { player_id: string } & Omit<
  PutRequest,
  'kind' | 'player' | 'limit_reached'
>;

const validate = compileBody(putSave.body);

/**
 * Reads the body of a PUT. All but `data` is held to the rules of every body; `data` may hold what
 * only text can keep, and is measured and cut out, never rebuilt.
 * @throws ApiError 400 naming the field, 413 with the size of `data`.
 */
export function readSave(text: string): SentSave {
  refuseHugeData(text);
  const body = parseJson(text);
  const member = isObject(body) ? sliceMember(text, 'data') : null;
  const size_bytes = member === null ? 0 : measureSave(member.text);
  if (isObject(body)) {
    // For other fields null counts as absent, but here it would overwrite what it was to protect.
    if (body.version === null) throw badRequest('version must be a whole number');
    const { data: _data, ...others } = body;
    const problem = findUnstorable(others, '', 1);
    if (problem !== null) throw badRequest(problem);
  }
  validate(body);
  const { player_id, version } = body as BodyOf<typeof putSave>;
  const { text: data, nesting } = member!;
  if (nesting > MAX_SAVE_NESTING) {
    throw badRequest(`data is nested deeper than ${MAX_SAVE_NESTING} levels`);
  }
  return { player_id, data, size_bytes, expected_version: version ?? null };
}

/**
 * Of a body that is far too large only the size is looked at: parsing as carefully as what is stored
 * needs it takes ten times as long.
 */
function refuseHugeData(text: string): void {
  if (text.length <= 2 * MAX_SAVE_BYTES) return;
  const body = parsePlainly(text);
  const member = isObject(body) ? sliceMember(text, 'data') : null;
  if (member !== null) measureSave(member.text);
}

function parsePlainly(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Bytes as sent. @throws ApiError 413 when it is over the limit, by its shortest spelling too. */
function measureSave(data: string): number {
  const size_bytes = Buffer.byteLength(data);
  if (size_bytes <= MAX_SAVE_BYTES) return size_bytes;
  const compact_bytes = measureCompactBytes(data);
  if (compact_bytes <= MAX_SAVE_BYTES) return size_bytes;
  throw new ApiError(413, 'Save data exceeds 100KB limit', {
    size_bytes: compact_bytes,
    limit_bytes: MAX_SAVE_BYTES,
  });
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
