import type { Static } from 'typebox';
import { MAX_PLAYER_FILTERS } from '../players/player-conditions.ts';
import { OPERATORS_IN_WORDS } from '../players/filter-operators.ts';
import { MAX_TAGS } from '../players/players.ts';
import { PlayerFilter, STAT_FILTER_IN_WORDS } from '../players/player-filters.ts';
import { t } from '../schema.ts';
import { Group, GroupLimit } from './event-conditions.ts';
import { MAX_PLAYERS_TEXT, MAX_SPLIT_TEXT, MAX_SPLIT_VALUES } from './limits.ts';

/** The players that a report is about. All conditions must hold. */
export const PlayerSelection = t.Object(
  {
    properties: t.Optional(
      t.Array(PlayerFilter, {
        maxItems: MAX_PLAYER_FILTERS,
        description: 'Conditions on top-level properties and on statistics of players.',
      }),
    ),
    values: t.Optional(
      t.Array(
        t.Object(
          {
            property: t.Name('Name of a property.'),
            value: t.Nullable(
              t.String(
                'Value as text, as a group of a split names it; null without the property.',
                {
                  maxLength: 255,
                },
              ),
            ),
          },
          { additionalProperties: false },
        ),
        { maxItems: MAX_PLAYER_FILTERS, description: 'Groups of splits by a property.' },
      ),
    ),
    tags: t.Optional(
      t.Array(t.Name('Tag, in upper or lower case.'), {
        maxItems: MAX_TAGS,
        description: 'Tags that a player must have.',
      }),
    ),
    without_tags: t.Optional(
      t.Array(t.Name('Tag, in upper or lower case.'), {
        maxItems: MAX_TAGS,
        description: 'Tags that a player must not have.',
      }),
    ),
    segment: t.Optional(
      t.Name('Name of a saved segment. Its conditions on events hold for the days of the report.'),
    ),
  },
  { title: 'PlayerSelection', additionalProperties: false },
);
export type PlayerSelection = Static<typeof PlayerSelection>;

/** The query parameters that limit a report to some players, and that split it into groups of players. */
export const PlayersQuery = t.Object({
  players: t.Optional(
    t.String(
      `Only these players: a JSON object with any of \`properties\` (at most ${MAX_PLAYER_FILTERS} conditions \`{"property", "operator", "value"}\` on their properties as they are now, with the operators ${OPERATORS_IN_WORDS}; ${STAT_FILTER_IN_WORDS}), \`values\` (a list of \`{"property", "value"}\`, the groups of splits by a property), \`tags\` and \`without_tags\` (lists of tags that a player has, or has not), and \`segment\` (the name of a saved segment, whose conditions on events hold for the days of the report), such as \`{"properties":[{"property":"country","operator":"eq","value":"de"}],"tags":["vip"]}\`. All must hold. Such a report is counted from the players, sessions and events themselves, at low priority. Events and sessions without a player are left out. Access tokens with the role \`reports\` get a 403.`,
      { minLength: 1, maxLength: MAX_PLAYERS_TEXT },
    ),
  ),
  split_by: t.Optional(
    t.String(
      `Also makes the report for groups of players: \`property:country\` has a group for each of the largest values of the property \`country\`, which may have ${MAX_SPLIT_VALUES.toLocaleString('en-US')} values at most, \`tag:vip\` divides into players with and without the tag, and \`segment:Whales\` into players in and outside of the saved segment. Each player is in one group. Events and sessions without a player are in none. Access tokens with the role \`reports\` get a 403.`,
      { minLength: 1, maxLength: MAX_SPLIT_TEXT },
    ),
  ),
  split_limit: GroupLimit,
});

/** Makes the schema for the groups of a split report. */
export const splitGroups = <P extends Parameters<typeof t.Resource>[1]>(
  title: string,
  members: P,
) =>
  t.Array(t.Resource(title, { ...Group, ...members }), {
    description:
      'The report for each group of players, the largest first; none without `split_by`. The size of a group is the number of its players who were active in the range of days, or of those who came first in it for retention.',
  });
