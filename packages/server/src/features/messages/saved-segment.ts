import { MAX_CONDITIONS } from '@overworld/contract/remote-config/config';
import { normalizeTag } from '@overworld/contract/players/tags';
import { badRequest, notFound } from '../../platform/errors.ts';
import { parseExactly } from '../../platform/json/exact-json.ts';
import { readPlayerFilter } from '../../platform/property-conditions.ts';
import type { StoredAudience } from './message.ts';

/** Finds the query of a saved segment; null when no segment has this name. */
export type FindSegment = (game_id: string, name: string) => Promise<string | null>;

/**
 * Joins the conditions of a saved segment with those that are stated beside it.
 * @throws ApiError 404 when there is no such segment, 400 when it has conditions on events or reports, because a
 * game that asks for messages must not cause a report.
 */
export async function copyConditions(
  findSegment: FindSegment,
  game_id: string,
  to: StoredAudience,
): Promise<StoredAudience> {
  const query = await findSegment(game_id, to.segment!);
  if (query === null) throw notFound('Segment not found');
  const parameters = new URLSearchParams(query);
  for (const name of ['events', 'players', 'cell']) {
    if (!parameters.has(name)) continue;
    throw badRequest(
      `to.segment has conditions that are not about tags, properties and statistics (${name}): tag its players, and send to the tag`,
    );
  }
  const filter = parameters.get('filter') ?? '[]';
  readPlayerFilter(filter);
  const tags = parameters.getAll('tag').map(normalizeTag);
  const has_tags = [...new Set([...tags, ...(to.has_tags ?? []).map(normalizeTag)])];
  const properties = [
    ...(parseExactly(filter) as NonNullable<StoredAudience['properties']>),
    ...(to.properties ?? []),
  ];
  for (const [name, list] of Object.entries({ has_tags, properties })) {
    if (list.length <= 2 * MAX_CONDITIONS) continue;
    throw badRequest(`to.${name} and the segment together have more than ${2 * MAX_CONDITIONS}`);
  }
  return {
    type: 'segment',
    segment: to.segment,
    ...(has_tags.length === 0 ? {} : { has_tags }),
    ...(to.lacks_tags === undefined ? {} : { lacks_tags: to.lacks_tags }),
    ...(properties.length === 0 ? {} : { properties }),
  };
}
