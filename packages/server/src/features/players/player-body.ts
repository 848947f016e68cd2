import type { BodyOf } from '@overworld/contract/operation';
import { identifyPlayer, MAX_PLAYER_PROPERTIES_BYTES } from '@overworld/contract/players/players';
import { updatePlayer } from '@overworld/contract/players/dashboard';
import { writeOddNumbers } from '../../platform/json/exact-json.ts';
import type { JsonScan } from '../../platform/json/json-scan.ts';
import { measureJson } from '../../platform/json/json-size.ts';
import { readJsonBody } from '../../platform/json/parse-json.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { propertiesTooLarge } from './writes/player-writer.ts';
import { readNewTag, readTag } from '../../platform/players/tags.ts';

const validateIdentify = compileBody(identifyPlayer.body);
const validateUpdate = compileBody(updatePlayer.body);

/**
 * Cuts the properties out of the body. They reach PostgreSQL as the text that was sent, because whole
 * numbers over 2^53 would change if this process parsed and wrote them.
 * @throws ApiError 413 when the properties are too large.
 */
function propertiesOf(bytes: Buffer, { member_place: [start, end], numbers }: JsonScan): string {
  const properties =
    numbers.length > 0
      ? Buffer.from(writeOddNumbers(bytes, numbers, start, end))
      : bytes.subarray(start, end);
  if (
    properties.length > MAX_PLAYER_PROPERTIES_BYTES &&
    measureJson(properties, 0, properties.length).bytes > MAX_PLAYER_PROPERTIES_BYTES
  ) {
    throw propertiesTooLarge();
  }
  return properties.toString();
}

interface SentIdentify {
  player_id: string | undefined;
  /** JSON text of an object. */
  properties: string;
}

/**
 * Reads the body of an identify call.
 * @throws ApiError 400 that names the field, 413 when the properties are too large.
 */
export function readIdentify(bytes: Buffer): SentIdentify {
  const { value: body, scan } = readJsonBody(bytes, 'properties');
  validateIdentify(body);
  const { player_id } = body as BodyOf<typeof identifyPlayer>;
  return { player_id, properties: propertiesOf(bytes, scan) };
}

/**
 * Tells whether properties, given as JSON text, may contain this property. Returns true for any text with a
 * backslash, because the property's name may be written with escapes.
 * @param property Null if there is no property to look for.
 */
export const mayName = (properties: string, property: string | null): boolean =>
  property !== null && (properties.includes(property) || properties.includes('\\'));

/** A change to a player. */
export interface SentUpdate {
  /** JSON text of an object; null when no properties are set. */
  properties: string | null;
  /** The names of the properties in `properties`. */
  set_properties: string[];
  remove_properties: string[];
  add_tags: string[];
  remove_tags: string[];
}

/**
 * Reads the body of a change.
 * @throws ApiError 400 that names the field, 413 when the properties are too large.
 */
export function readUpdate(bytes: Buffer): SentUpdate {
  const { value: body, scan } = readJsonBody(bytes, 'properties');
  validateUpdate(body);
  const sent = body as BodyOf<typeof updatePlayer>;
  const { properties, remove_properties = [], add_tags = [], remove_tags = [] } = sent;
  return {
    properties: properties === undefined ? null : propertiesOf(bytes, scan),
    set_properties: Object.keys(properties ?? {}),
    remove_properties,
    add_tags: readTags('add_tags', add_tags, readNewTag),
    remove_tags: readTags('remove_tags', remove_tags, readTag),
  };
}

const readTags = (field: string, tags: string[], read: typeof readTag) => [
  ...new Set(tags.map((tag, index) => read(tag, `${field}[${index}]`))),
];
