import {
  MAIN_SLOT,
  MAX_SAVE_BYTES,
  MAX_SAVE_NESTING,
  MAX_SAVE_REST_BYTES,
} from '@overworld/contract/saves/limits';
import { putSave } from '@overworld/contract/saves/saves';
import { editSave } from '@overworld/contract/saves/versions';
import type { BodyOf } from '@overworld/contract/operation';
import { ApiError, badRequest } from '../../platform/errors.ts';
import { scanJson, textOf } from '../../platform/json/json-scan.ts';
import type { JsonScan } from '../../platform/json/json-scan.ts';
import { measureJson } from '../../platform/json/json-size.ts';
import {
  MAX_NESTING,
  nestedTooDeep,
  parseScannedJson,
  refuseUnstorable,
  scanBody,
} from '../../platform/json/parse-json.ts';
import { compilePlaces } from '../../platform/http/member-places.ts';
import { compileBody } from '../../platform/http/validation.ts';
import type { Validate } from '../../platform/http/validation.ts';
import type { PutRequest } from './writes/save-rules.ts';
import {
  APP_VERSION_HEADER,
  isAppVersion,
  MAX_APP_VERSION_LENGTH,
} from '@overworld/contract/saves/app-version';
import type { IncomingHttpHeaders } from 'node:http';

/** A save as the client sent it. */
type SentSave = { player_id: string | undefined; slot: string } & Omit<
  PutRequest,
  'kind' | 'save' | 'limit_reached' | 'app_version'
>;

/** A save as staff have edited it. */
type SentEdit = Pick<SentSave, 'data' | 'size_bytes'> & { version: number };

const validatePut = compileBody(putSave.body);
const validateEdit = compileBody(editSave.body);
const checkPlaces = compilePlaces(editSave)!;

/** Reads the body of a PUT. @throws ApiError 400 naming the field, 413 with the size of `data`. */
export function readSave(bytes: Buffer): SentSave {
  const { body, data, size_bytes } = readBody(bytes, validatePut);
  const { player_id, slot = MAIN_SLOT, version } = body as BodyOf<typeof putSave>;
  return { player_id, slot, data, size_bytes, expected_version: version ?? null };
}

/**
 * Reads the version of the game that saves. @returns null without the header.
 * @throws ApiError 400 naming the header.
 */
export function readAppVersion(headers: IncomingHttpHeaders): string | null {
  const sent = headers[APP_VERSION_HEADER];
  if (sent === undefined) return null;
  if (typeof sent === 'string' && isAppVersion(sent)) return sent;
  throw badRequest(
    `${APP_VERSION_HEADER} must have 1 to ${MAX_APP_VERSION_LENGTH} printable characters of ASCII`,
  );
}

/** Reads the body of an edit. @throws ApiError 400 naming the field, 413 with the size of `data`. */
export function readEdit(bytes: Buffer): SentEdit {
  const { body, data, size_bytes } = readBody(bytes, validateEdit);
  checkPlaces({}, body);
  return { version: (body as BodyOf<typeof editSave>).version, data, size_bytes };
}

/**
 * Reads a request body in UTF-8 that contains a save. The usual rules for request bodies apply, except to
 * `data`, which is measured and cut out. `data` is never parsed, because that would change long numbers.
 */
function readBody(bytes: Buffer, validate: Validate) {
  const scan = scanBody(bytes, 'data');
  const [start = 0, end = 0] = scan.member_place;
  const size_bytes = measureSave(bytes, start, end);
  // Parsing 8 MB of members other than `data` would take a second.
  if (bytes.length - (end - start) > MAX_SAVE_REST_BYTES) {
    throw badRequest('The request body may have at most 16 KB besides data');
  }
  // The nesting includes the outermost object, which is no part of `data`.
  if (scan.member.nesting - 1 > MAX_SAVE_NESTING) {
    throw badRequest(`data is nested deeper than ${MAX_SAVE_NESTING} levels`);
  }
  if (scan.rest.nesting > MAX_NESTING) throw nestedTooDeep();
  const body = parseRest(bytes, scan);
  // A null version would drop the protection against conflicts, and a null slot would write into
  // another slot.
  if (body?.version === null) throw badRequest('version must be a whole number');
  if (body?.slot === null) throw badRequest('slot must be a string');
  refuseUnstorable(body, { ...scan, member: scan.rest });
  validate(body);
  return { body, data: textOf(bytes, start, end), size_bytes };
}

/** Parses the body. If `data` is an object, an empty object is parsed in its place. */
function parseRest(bytes: Buffer, scan: JsonScan): Record<string, unknown> | null {
  const [start = 0, end = 0] = scan.member_place;
  const isObject = bytes[start] === EMPTY[0] && end > 0;
  if (!isObject) return parseScannedJson(bytes, scan) as Record<string, unknown> | null;
  const rest = Buffer.concat([bytes.subarray(0, start), EMPTY, bytes.subarray(end)]);
  return parseScannedJson(rest, scanJson(rest)!) as Record<string, unknown>;
}

const EMPTY = Buffer.from('{}');

/** Measures `data` as sent. @throws ApiError 413 if even its shortest form as JSON is over the limit. */
function measureSave(bytes: Buffer, start: number, end: number): number {
  const size_bytes = end - start;
  if (size_bytes <= MAX_SAVE_BYTES) return size_bytes;
  const compact_bytes = measureJson(bytes, start, end).bytes;
  if (compact_bytes <= MAX_SAVE_BYTES) return size_bytes;
  throw new ApiError(413, 'Save data exceeds 100KB limit', {
    size_bytes: compact_bytes,
    limit_bytes: MAX_SAVE_BYTES,
  });
}
