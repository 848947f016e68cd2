import { OPERATORS_IN_WORDS } from './filter-operators.ts';
import { STAT_FILTER_IN_WORDS } from './player-filters.ts';
import { LACKED_BY_PLAYERS } from './lacked-by-players.ts';
import { MAX_TAGS, Tag } from './players.ts';
import { t } from '../schema.ts';

/** Purchases are found by the numbers of their orders for so many days. */
export const ORDER_DAYS = 90;
/** The fewest characters of a number of an order. */
export const MIN_ORDER_LENGTH = 6;
/** The maximum number of property filters in a search. */
export const MAX_PLAYER_FILTERS = 20;

/** The conditions of a search for players. Players must meet all that are given. */
export const playerConditions = {
  prefix: t.Optional(t.Name('Only players whose id begins with this text; fast at any size.')),
  search: t.Optional(
    t.Name(
      `Only players whose name or id contains this text, in upper or lower case. A text of one or two characters must stand at the beginning. If the search finds nobody so, \`listPlayers\` finds the players who have a login of exactly this id at its provider, or else those of whom a purchase of the last ${ORDER_DAYS} days has exactly this text in a top-level property, such as the number of an order: at least ${MIN_ORDER_LENGTH} characters without spaces, with a digit.`,
    ),
  ),
  tag: t.Optional(
    t.Array(Tag, {
      maxItems: MAX_TAGS,
      description: 'Only players with this tag; given several times, with all of them.',
    }),
  ),
  filter: t.Optional(
    t.String(
      `Conditions on properties and statistics: a JSON list of at most ${MAX_PLAYER_FILTERS} objects \`{"property", "operator", "value"}\`, such as \`[{"property":"level","operator":"gte","value":10}]\`. Operators: ${OPERATORS_IN_WORDS}. ${STAT_FILTER_IN_WORDS}. The answer is 400 if the game has no such statistic.`,
      { minLength: 1 },
    ),
  ),
  first_seen_from: t.Optional(
    t.Timestamp('Only players who were first named at this time, or later.'),
  ),
  first_seen_before: t.Optional(t.Timestamp('Only players who were first named before this time.')),
  without: t.Optional(
    t.Array(t.Enum(LACKED_BY_PLAYERS), {
      maxItems: LACKED_BY_PLAYERS.length,
      description:
        'Only players without these; given several times, without any of them. `login`: players who have no login. `events`: players of whom no event is known. `calls`: players whom only events have named; they do not count against the limit of players.',
    }),
  ),
  without_achievement: t.Optional(
    t.Name(
      'Only players who do not have the achievement of this key. With the conditions of its rule as `filter` (`{"stat", "operator": "gte", "value"}`), these are the players who have earned it already.',
    ),
  ),
};
