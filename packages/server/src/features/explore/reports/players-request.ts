import type { Environment } from '@overworld/contract/common';
import { PlayerSelection } from '@overworld/contract/analytics/player-selection';
import { normalizeTag } from '@overworld/contract/players/tags';
import { t } from '@overworld/contract/schema';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { findStringProblem, readJsonText } from '../../../platform/json/json-text.ts';
import { readPlayerFilter, requireFittingValues } from '../../../platform/property-conditions.ts';
import type { PlayersQuery } from '../../../platform/reports/player-slices.ts';
import type { PlayerChoice, SegmentConditions, Split } from '../scan/player-choice.ts';
import { readEventConditions } from './conditions.ts';

/** Finds the query of a saved segment; null when there is none of this name. */
export type FindSegment = (game_id: string, name: string) => Promise<string | null>;

export interface PlayersCall {
  params: { game_id: string };
  query: { environment: Environment } & Partial<PlayersQuery>;
}

const validate = compileBody(t.Object({ players: PlayerSelection }));
const MAX_NAME_LENGTH = 255;
const DEFAULT_SPLIT_LIMIT = 10;

/**
 * Reads the parameters that limit a report to some players and split it.
 * @returns null for a report on all players without a split.
 * @throws ApiError 400 naming the place.
 */
export async function readPlayerChoice(
  { params, query }: PlayersCall,
  findSegment: FindSegment,
): Promise<PlayerChoice | null> {
  const find = (name: string, place: string) =>
    readSegment(params.game_id, name, place, findSegment);
  const players = query.players === undefined ? null : await readPlayers(query.players, find);
  const split = query.split_by === undefined ? null : await readSplit(query.split_by, find);
  if (players === null && split === null) return null;
  return { players, split, split_limit: query.split_limit ?? DEFAULT_SPLIT_LIMIT };
}

type Find = (name: string, place: string) => Promise<SegmentConditions>;

async function readPlayers(text: string, find: Find): Promise<PlayerChoice['players']> {
  const players = readJsonText('players', text) as PlayerSelection;
  validate({ players });
  const { properties = [], tags = [], without_tags = [], segment } = players;
  requireFittingValues(properties, 'players.properties');
  const conditions = {
    tags: tags.map(normalizeTag),
    without_tags: without_tags.map(normalizeTag),
    filter: { filter: properties, text, path: ['properties'] },
    segment: segment === undefined ? null : await find(segment, 'players.segment'),
  };
  const is_empty = properties.length + tags.length + without_tags.length === 0;
  return is_empty && conditions.segment === null ? null : conditions;
}

async function readSplit(text: string, find: Find): Promise<Split> {
  const colon = text.indexOf(':');
  const [by, name] = [text.slice(0, colon), text.slice(colon + 1)];
  if (colon !== -1 && (name === '' || name.length > MAX_NAME_LENGTH)) {
    throw badRequest(`split_by must have a name of 1 to ${MAX_NAME_LENGTH} characters`);
  }
  switch (colon === -1 ? '' : by) {
    case 'property':
      return { by: 'property', property: name };
    case 'tag':
      return { by: 'tag', tag: normalizeTag(name) };
    case 'segment':
      return { by: 'segment', name, segment: await find(name, 'split_by') };
    default:
      throw badRequest('split_by must begin with property:, tag: or segment:');
  }
}

/** A saved segment is stored unchecked, so its mistakes are found here. */
async function readSegment(
  game_id: string,
  name: string,
  place: string,
  findSegment: FindSegment,
): Promise<SegmentConditions> {
  const query = await findSegment(game_id, name);
  if (query === null) throw badRequest(`${place} names no saved segment`);
  const parameters = new URLSearchParams(query);
  try {
    const tags = parameters.getAll('tag').map(normalizeTag);
    const problem = tags.map(findStringProblem).find((found) => found !== null);
    if (problem) throw badRequest(`tag ${problem}`);
    return {
      tags,
      filter: readPlayerFilter(parameters.get('filter') ?? undefined),
      event_conditions: readEventConditions(parameters.get('events') ?? undefined),
    };
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    throw badRequest(`${place}: the saved segment cannot be read: ${error.message}`);
  }
}
