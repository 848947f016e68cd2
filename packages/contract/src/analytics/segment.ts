import { MAX_EVENT_CONDITIONS } from './limits.ts';
import { Type } from 'typebox';
import { ANALYTICS_GROUP, reportAnswer, ReportQuery, ReportRange } from './report.ts';
import { GameId, merge, PageOf, PageQuery } from '../common.ts';
import { FILTER_IN_WORDS, stoppedAnswer } from './event-conditions.ts';
import { defineOperation } from '../operation.ts';
import { ListedPlayer, MAX_PLAYER_FILTERS } from '../players/dashboard.ts';
import { MAX_TAGS } from '../players/players.ts';

export const getSegment = defineOperation({
  id: 'getSegment',
  method: 'GET',
  path: '/v1/games/{game_id}/analytics/segment',
  access: 'viewer',
  group: ANALYTICS_GROUP,
  summary: 'List the players who have and did something',
  description: [
    'Players by their properties and tags, and by what they did or did not do in the range of days, by `occurred_at`. All conditions given must hold; without any, all players are listed.',
    'Page by page in the order of ids, with the number of players in the segment when its first page was read. As CSV, all of them are in one file.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  params: Type.Object({ game_id: GameId }),
  query: merge(
    merge(ReportQuery, PageQuery),
    Type.Object({
      tag: Type.Optional(
        Type.Array(Type.String(), {
          maxItems: MAX_TAGS,
          description: 'Only players with this tag; given several times, with all of them.',
        }),
      ),
      filter: Type.Optional(
        Type.String({
          minLength: 1,
          description: `Conditions on properties of players: a JSON list of at most ${MAX_PLAYER_FILTERS} objects as in the player search.`,
        }),
      ),
      events: Type.Optional(
        Type.String({
          minLength: 1,
          description: `What the players did: a JSON list of at most ${MAX_EVENT_CONDITIONS} objects \`{"event_name", "filter", "did", "at_least"}\`, such as \`[{"event_name":"purchase","at_least":2},{"event_name":"session_start","did":false}]\`. Players count who have at least so many such events (1 by default), or with \`"did": false\` those who have fewer. \`filter\` is ${FILTER_IN_WORDS}.`,
        }),
      ),
    }),
  ),
  answers: {
    200: reportAnswer({
      description: 'A page of players; as CSV all of them.',
      body: merge(
        Type.Object({
          ...ReportRange,
          count: Type.Integer({ description: 'Number of players in the segment.' }),
        }),
        PageOf('players', ListedPlayer),
      ),
      example: {
        from: '2026-03-01',
        to: '2026-03-30',
        time_zone: 'Europe/Berlin',
        count: 1,
        players: [
          {
            player_id: 'player-42',
            properties: { country: 'de', level: 7 },
            tags: ['vip'],
            first_seen_at: '2026-03-01T18:24:05.120Z',
            last_seen_at: '2026-03-01T18:24:05.120Z',
          },
        ],
        next_cursor: null,
      },
    }),
    503: stoppedAnswer,
  },
});
