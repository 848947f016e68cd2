import { PageOf } from '../answers.ts';
import { CursorQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { ListedPlayer } from '../players/dashboard.ts';
import { MAX_PLAYER_FILTERS } from '../players/player-conditions.ts';
import { MAX_TAGS } from '../players/players.ts';
import { t } from '../schema.ts';
import { FILTER_IN_WORDS } from './event-conditions.ts';
import { MAX_EVENT_CONDITIONS, MAX_PLAYERS_TEXT } from './limits.ts';
import { PlayersQuery } from './player-selection.ts';
import { SlowFormat, slowReportAnswers, ReportQuery, ReportRange } from './report.ts';
import { REPORTS } from './reports.ts';

const operation = operationsIn('Analytics');

/** The conditions of a segment. */
export const SegmentConditions = t.Object({
  tag: t.Optional(
    t.Array(t.String(), {
      maxItems: MAX_TAGS,
      description: 'Only players with this tag; given several times, with all of them.',
    }),
  ),
  filter: t.Optional(
    t.String(
      `Conditions on properties of players: a JSON list of at most ${MAX_PLAYER_FILTERS} objects as in the player search.`,
      { minLength: 1 },
    ),
  ),
  events: t.Optional(
    t.String(
      `Conditions on events of players: a JSON list of at most ${MAX_EVENT_CONDITIONS} objects \`{"event_name", "filter", "did", "at_least"}\`, such as \`[{"event_name":"purchase","at_least":2},{"event_name":"session_start","did":false}]\`. A player must have at least \`at_least\` such events (1 by default), or fewer with \`"did": false\`. \`filter\` is ${FILTER_IN_WORDS}.`,
      { minLength: 1 },
    ),
  ),
  players: PlayersQuery.properties.players,
  cell: t.Optional(
    t.String(
      'The players whom a number of a report counts: a JSON object with `report`, `from`, `to` and the members of that report, such as `{"report":"retention","from":"2026-03-01","to":"2026-03-01","day":7,"returned":false}` for the players who came first on March 1 and were not active a week later. `active-players`: `players` (`active` on any of these days, or `new`). `retention`: `day` and `returned`. `sessions`: `length_class`, which may be left out. `funnel`: `steps`, `window_minutes`, `step` (from 1) and `outcome` (`reached`, or `stopped` there). `events`: `event_name`, and if you like `filter`, `property` and `value`. `revenue`, the payers: if you like `currency`. The days of a cell are its own: `from` and `to` of the segment hold for `events`.',
      { minLength: 1, maxLength: MAX_PLAYERS_TEXT },
    ),
  ),
});

export const getSegment = operation(REPORTS.segment.route, {
  access: 'viewer',
  summary: 'List the players of a segment',
  description: [
    'Selects players by their properties and tags, and by the events that they had or did not have in the range of days, by `occurred_at`. Players must meet all conditions; without conditions all players are listed.',
    'Page by page in the order of ids, with the number of players that the segment had when its first page was read. The CSV holds all players in one file.',
    'Read from the events themselves, at low priority.',
  ].join('\n\n'),
  query: t.Object({
    ...ReportQuery.properties,
    format: SlowFormat,
    ...CursorQuery.properties,
    ...SegmentConditions.properties,
  }),
  answers: slowReportAnswers(
    'A page of players; the CSV holds all of them.',
    t.Object({
      ...ReportRange,
      count: t.Integer('Number of players in the segment.'),
      ...PageOf('players', ListedPlayer).properties,
    }),
    {
      count: 1,
      players: [
        {
          player_id: 'player-42',
          name: 'Ada',
          properties: { country: 'de', level: 7 },
          tags: ['vip'],
          first_seen_at: '2026-03-01T18:24:05.120Z',
          last_seen_at: '2026-03-01T18:24:05.120Z',
        },
      ],
      next_cursor: null,
    },
  ),
});
