import type { BodyOf } from '@overworld/contract/operation';
import { identifyPlayer, MAX_PLAYER_PROPERTIES_BYTES } from '@overworld/contract/players';
import { updatePlayer } from '@overworld/contract/players-dashboard';
import { badRequest } from '../../platform/errors.ts';
import { parseExactly } from '../../platform/http/exact-json.ts';
import { measureCompactBytes, sliceMember } from '../../platform/http/json-member.ts';
import {
  mayHoldOddNumber,
  mayHoldUnstorable,
  parseJson,
  refuseUnstorable,
} from '../../platform/http/json-text.ts';
import { compileBody } from '../../platform/http/validation.ts';
import { propertiesTooLarge } from './player-writer.ts';
import { normalizeTag } from './tags.ts';

const validateIdentify = compileBody(identifyPlayer.body);
const validateUpdate = compileBody(updatePlayer.body);

/**
 * Properties reach PostgreSQL as the text they were sent in: parsed and written again by this
 * process, whole numbers over 2^53 would change. What only the text may hold, such as a lone
 * surrogate in the first of two members with one name, goes when it is written anew.
 * @throws ApiError 413 when they are too large by themselves.
 */
function propertiesOf(text: string): string {
  const sent = sliceMember(text, 'properties')!.text;
  const isOdd = mayHoldOddNumber(sent) || mayHoldUnstorable(sent);
  const properties = isOdd ? JSON.stringify(parseExactly(sent)) : sent;
  if (
    Buffer.byteLength(properties) > MAX_PLAYER_PROPERTIES_BYTES &&
    measureCompactBytes(properties) > MAX_PLAYER_PROPERTIES_BYTES
  ) {
    throw propertiesTooLarge();
  }
  return properties;
}

export interface SentIdentify {
  player_id: string;
  /** JSON text of an object. */
  properties: string;
}

/** Reads the body of identify. @throws ApiError 400 naming the field, 413 when it is too large. */
export function readIdentify(text: string): SentIdentify {
  const body = parseJson(text);
  refuseUnstorable(body, text);
  validateIdentify(body);
  const { player_id } = body as BodyOf<typeof identifyPlayer>;
  return { player_id, properties: propertiesOf(text) };
}

/** What a change may consist of. */
const PARTS = ['properties', 'remove_properties', 'add_tags', 'remove_tags'] as const;

/** A change to a player. */
export interface SentUpdate {
  /** JSON text of an object; null when none are set. */
  properties: string | null;
  /** Names of the properties in it. */
  set_properties: string[];
  remove_properties: string[];
  add_tags: string[];
  remove_tags: string[];
}

/** Reads the body of a change. @throws ApiError 400 naming the field, 413 when it is too large. */
export function readUpdate(text: string): SentUpdate {
  const body = parseJson(text);
  refuseUnstorable(body, text);
  validateUpdate(body);
  const sent = body as BodyOf<typeof updatePlayer>;
  const { properties, remove_properties = [], add_tags = [], remove_tags = [] } = sent;
  if (!PARTS.some((part) => sent[part] !== undefined)) {
    throw badRequest(`One of ${PARTS.join(', ')} is required`);
  }
  return {
    properties: properties === undefined ? null : propertiesOf(text),
    set_properties: Object.keys(properties ?? {}),
    remove_properties,
    add_tags: normalizeTags('add_tags', add_tags),
    remove_tags: normalizeTags('remove_tags', remove_tags),
  };
}

const normalizeTags = (field: string, tags: string[]) => [
  ...new Set(tags.map((tag, index) => normalizeTag(tag, `${field}[${index}]`))),
];
