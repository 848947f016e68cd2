import { answer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { MAX_TAGS, Tag } from '../players/players.ts';
import { t } from '../schema.ts';
import { reportStopped } from './event-conditions.ts';
import { MAX_TAGGED_PLAYERS } from './limits.ts';
import { ReportQuery } from './report.ts';
import { SegmentConditions } from './segment.ts';

const operation = operationsIn('Analytics');
const most = MAX_TAGGED_PLAYERS.toLocaleString('en-US');

export const tagSegment = operation('POST /v1/games/{game_id}/analytics/segment/tags', {
  access: 'developer',
  summary: 'Tag the players of a segment',
  description: [
    `Adds a tag to all players of a segment, or removes it from them: those whom \`getSegment\` lists with the same conditions, at most ${most}. A larger segment is refused, and nothing is changed.`,
    `Some hundred players are changed at a time, so that games go on meanwhile. If the caller hangs up, the players changed so far keep the change; the same call again changes the others. A player with ${MAX_TAGS} tags gets no further one.`,
  ].join('\n\n'),
  query: t.Object({
    ...EnvironmentQuery.properties,
    from: ReportQuery.properties.from,
    to: ReportQuery.properties.to,
    ...SegmentConditions.properties,
    format: t.Enum(
      ['json', 'progress'],
      '`progress` answers lines of JSON meanwhile, as reports do: `{"progress":{"state":"reading","share":0.4,"seconds_left":3}}`, at last `{"report":…}` with the JSON answer, or `{"status":503,"error":"…"}`.',
      { default: 'json' },
    ),
  }),
  body: t.Object({
    tag: Tag,
    action: t.Enum(['add', 'remove'], 'Whether players get the tag, or lose it.', {
      default: 'add',
    }),
  }),
  example: { tag: 'left-early', action: 'add' },
  answers: {
    200: {
      ...answer(
        'All players are tagged.',
        t.Resource('TaggedSegment', {
          tag: t.String('The tag as it is stored.'),
          count: t.Integer('Players of the segment.'),
          changed: t.Integer('Players whose tags have changed.'),
        }),
        { tag: 'left-early', count: 284, changed: 280 },
      ),
      media_types: ['application/x-ndjson'],
    },
    503: reportStopped,
  },
});
