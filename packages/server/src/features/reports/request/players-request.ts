import { MAX_PATH_STEPS } from '@overworld/contract/analytics/limits';
import { PlayerSelection } from '@overworld/contract/analytics/player-selection';
import { cellMembersOf, ReportCell } from '@overworld/contract/analytics/report-cell';
import type { RevenueSettings } from '@overworld/contract/analytics/revenue-settings';
import { normalizeTag } from '@overworld/contract/players/tags';
import { t } from '@overworld/contract/schema';
import type { Database } from '../../../platform/database/database.ts';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError, badRequest } from '../../../platform/errors.ts';
import { compileBody } from '../../../platform/http/validation.ts';
import { findStringProblem } from '../../../platform/json/json-text.ts';
import { readJsonText } from '../../../platform/json/parse-json.ts';
import { readPlayerFilter, requireFittingValues } from '../../../platform/property-conditions.ts';
import { requireStats } from '../../../platform/players/stat-conditions.ts';
import { readDateRange } from '../../../platform/reports/date-range.ts';
import type {
  Cell,
  PlayerChoice,
  PlayerConditions,
  SegmentConditions,
  Split,
} from '../players/player-choice.ts';
import { readEventConditions, toChoice } from './conditions.ts';

/** The functions that look up what conditions on players refer to, such as saved segments. */
export interface ChoiceServices {
  /** The database of the installation, or that of the game. */
  database: Database | GroupedDatabase;
  /** Finds the query of a saved segment. Null when no segment has this name. */
  findSegment: (game_id: string, name: string) => Promise<string | null>;
  /** Finds the game's settings of the purchase event. Null when the game has chosen no purchase event. */
  findRevenueSettings: (database: Database, game_id: string) => Promise<RevenueSettings | null>;
}

/** The parameters by which a report is limited to some players and split by them. */
export interface PlayersQuery {
  players?: string;
  split_by?: string;
  split_limit?: number;
}

interface PlayersCall {
  params: { game_id: string };
  query: PlayersQuery;
}

/** The parameters of a segment. */
interface SegmentQuery {
  tag?: readonly string[];
  filter?: string;
  events?: string;
  players?: string;
  cell?: string;
}

const validatePlayers = compileBody(t.Object({ players: PlayerSelection }));
const validateCell = compileBody(t.Object({ cell: ReportCell }));
const MAX_NAME_LENGTH = 255;
const DEFAULT_SPLIT_LIMIT = 10;
/** The longest chain of saved segments that use one another. A longer chain may be a circle. */
const MAX_NESTED_SEGMENTS = 3;

/**
 * Reads the parameters that limit a report to some players and split the report.
 * @returns null for a report on all players without a split.
 * @throws ApiError 400 that names the wrong parameter or member.
 */
export async function readPlayerChoice(
  { params, query }: PlayersCall,
  services: ChoiceServices,
): Promise<PlayerChoice | null> {
  const reader = createReader(params.game_id, services);
  const players = query.players === undefined ? null : await reader.readPlayers(query.players, 0);
  const split = query.split_by === undefined ? null : await reader.readSplit(query.split_by);
  if (players === null && split === null) return null;
  return { players, split, split_limit: query.split_limit ?? DEFAULT_SPLIT_LIMIT };
}

/** Reads the conditions of a segment. @throws ApiError 400 that names the wrong parameter or member. */
export const readSegmentConditions = (
  game_id: string,
  query: SegmentQuery,
  services: ChoiceServices,
): Promise<SegmentConditions> => createReader(game_id, services).readSegment(query, 0);

/** Reads the query of a saved segment. @throws ApiError 400 for a tag that no request may have. */
export function readSavedQuery(query: string): SegmentQuery {
  const parameters = new URLSearchParams(query);
  const one = (member: string) => parameters.get(member) ?? undefined;
  const tag = parameters.getAll('tag');
  for (const problem of tag.map(findStringProblem)) {
    if (problem !== null) throw badRequest(`tag ${problem}`);
  }
  return {
    tag,
    filter: one('filter'),
    events: one('events'),
    players: one('players'),
    cell: one('cell'),
  };
}

/** @throws ApiError 400 that names the wrong member. */
function requirePath({ step, event_name, hide = [], place, names = [] }: ReportCell): void {
  if (step! > MAX_PATH_STEPS) throw badRequest(`cell.step must be at most ${MAX_PATH_STEPS}`);
  if (hide.includes(event_name!)) throw badRequest('cell.hide must not hold the event_name');
  if (place === 'event' && names.length === 0) throw badRequest('cell.names is required');
}

/** The outcomes of the reports whose cells have one. */
const OUTCOMES: Partial<Record<ReportCell['report'], readonly ReportCell['outcome'][]>> = {
  funnel: ['reached', 'stopped'],
  progression: ['left', 'left_unfinished'],
};

/** @throws ApiError 400 for an outcome of another report. */
function requireOutcome({ report, outcome }: ReportCell): void {
  const outcomes = OUTCOMES[report];
  if (outcomes === undefined || outcomes.includes(outcome)) return;
  throw badRequest(`cell.outcome must be ${outcomes.join(' or ')} for ${report}`);
}

function createReader(game_id: string, services: ChoiceServices) {
  const { database, findSegment, findRevenueSettings } = services;
  const group = 'ofGame' in database ? database.ofGame(game_id) : database;
  const readPlayers = async (text: string, depth: number): Promise<PlayerConditions | null> => {
    const players = readJsonText('players', text) as PlayerSelection;
    validatePlayers({ players });
    const { properties = [], values = [], tags = [], without_tags = [], segment } = players;
    requireFittingValues(properties, 'players.properties');
    await requireStats(group, game_id, properties, 'players.properties');
    if (segment === undefined) {
      const lists = [properties, values, tags, without_tags];
      if (lists.every((list) => list.length === 0)) return null;
    }
    return {
      tags: tags.map(normalizeTag),
      without_tags: without_tags.map(normalizeTag),
      filter: { filter: properties, text, path: ['properties'] },
      values,
      segment: segment === undefined ? null : await findSaved(segment, 'players.segment', depth),
    };
  };

  const readSegment = async (query: SegmentQuery, depth: number): Promise<SegmentConditions> => {
    const filter = readPlayerFilter(query.filter);
    await requireStats(group, game_id, filter.filter, 'filter');
    return {
      tags: (query.tag ?? []).map(normalizeTag),
      filter,
      event_conditions: readEventConditions(query.events),
      players: query.players === undefined ? null : await readPlayers(query.players, depth),
      cell: query.cell === undefined ? null : await readCell(query.cell),
    };
  };

  /** Finds a saved segment. Segments are stored unchecked, so the mistakes in a segment are found here. */
  const findSaved = async (name: string, place: string, depth: number) => {
    const query = await findSegment(game_id, name);
    if (query === null) throw badRequest(`${place} names no saved segment`);
    if (depth >= MAX_NESTED_SEGMENTS) {
      throw badRequest(`${place} names a segment that uses too many others`);
    }
    try {
      return await readSegment(readSavedQuery(query), depth + 1);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      throw badRequest(`${place}: the saved segment cannot be read: ${error.message}`);
    }
  };

  const readSplit = async (text: string): Promise<Split> => {
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
        return { by: 'segment', name, segment: await findSaved(name, 'split_by', 0) };
      default:
        throw badRequest('split_by must begin with property:, tag: or segment:');
    }
  };

  const readCell = async (text: string): Promise<Cell> => {
    const cell = readJsonText('cell', text) as ReportCell;
    validateCell({ cell });
    for (const member of cellMembersOf(cell.report)) {
      if (cell[member] === undefined) throw badRequest(`cell.${member} is required`);
    }
    const { steps = [], filter = [] } = cell;
    if (cell.report === 'funnel' && cell.step! > steps.length) {
      throw badRequest(`cell.step must be at most ${steps.length}, the number of steps`);
    }
    if (cell.report === 'path') requirePath(cell);
    requireOutcome(cell);
    requireFittingValues(filter, 'cell.filter');
    const is_revenue = cell.report === 'revenue';
    const settings = is_revenue ? await findRevenueSettings(database, game_id) : null;
    if (is_revenue && settings === null) {
      throw badRequest('cell.report needs the revenue settings of the game');
    }
    const range = await readDateRange(database, game_id, cell);
    const { starts_at, ends_at, time_zone, today } = range;
    return {
      asked: cell,
      steps: steps.map((step, index) => toChoice(step, text, 'cell.steps', ['steps', `${index}`])),
      filter: { filter, text, path: ['filter'] },
      settings,
      starts_at,
      ends_at,
      time_zone,
      today,
    };
  };

  return { readPlayers, readSegment, readSplit };
}
