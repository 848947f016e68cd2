import type { Static } from 'typebox';
import { answer, ErrorWith, notFoundInGame, pageAnswer, UsedBy } from '../answers.ts';
import { GameId, PageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { SAVED_REPORT_KINDS } from './reports.ts';

/** The maximum number of saved reports of a game. */
export const MAX_SAVED_REPORTS = 500;
/** Longest query of a saved report, in characters. */
export const MAX_SAVED_QUERY_LENGTH = 16_384;

const Kind = t.Enum(SAVED_REPORT_KINDS, 'Kind of the report: the last part of its path.');

const Query = t.String(
  'Query string of the report without `environment`, dates and `format`, such as `group_by=item&event_name=purchase`. It is stored unchecked; the report checks it when it is read.',
  { minLength: 1, maxLength: MAX_SAVED_QUERY_LENGTH },
);

const SavedReport = t.Resource('SavedReport', {
  kind: Kind,
  name: t.String('Name of the report, unique among those of its kind.'),
  query: Query,
  updated_at: t.Timestamp('When it was last saved.'),
});
export type SavedReport = Static<typeof SavedReport>;

const example = {
  kind: 'breakdown' as const,
  name: 'Spending by item',
  query: 'event_name=purchase&group_by=item&property=price',
  updated_at: '2026-03-01T18:24:05.120Z',
};

const operation = operationsIn('Analytics');
const NAME = 'Name of the report.';

export const listSavedReports = operation('GET /v1/games/{game_id}/saved-reports', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'List saved reports',
  description: 'By kind and name. Both environments share the saved reports.',
  query: t.Object({ ...PageQuery.properties, kind: t.Optional(Kind) }),
  answers: {
    200: pageAnswer('A page of saved reports.', 'saved_reports', SavedReport, example),
  },
});

export const putSavedReport = operation('PUT /v1/games/{game_id}/saved-reports/{kind}/{name}', {
  access: 'developer',
  summary: 'Save a report under a name',
  description: `Replaces an existing report of this kind and name. A game has at most ${MAX_SAVED_REPORTS}. Only the query is saved: the report is computed anew each time it is opened.`,
  params: t.Object({ game_id: GameId, kind: Kind, name: t.NewName(NAME) }),
  body: t.Object({
    query: Query,
    replace_used: t.Optional(
      t.Boolean(
        'True replaces a segment although dashboards, saved reports or schedules of messages use it. Their numbers and players then change.',
      ),
    ),
  }),
  example: { query: example.query },
  answers: {
    200: answer('The report is saved.', SavedReport, example),
    409: answer(
      'The game has reached its limit of saved reports. Or dashboards, saved reports or schedules of messages use the segment that would be replaced; `used_by` names them.',
      ErrorWith({ used_by: t.Optional(UsedBy) }),
      { error: `A game may have at most ${MAX_SAVED_REPORTS} saved reports` },
    ),
  },
});

export const deleteSavedReport = operation(
  'DELETE /v1/games/{game_id}/saved-reports/{kind}/{name}',
  {
    access: 'developer',
    summary: 'Delete a saved report',
    description:
      'Only the name and the query are lost. A segment that dashboards or other saved reports use must be taken out of them first.',
    params: t.Object({ game_id: GameId, kind: Kind, name: t.Name(NAME) }),
    answers: {
      204: { description: 'The report is deleted.' },
      404: notFoundInGame('saved report'),
      409: answer(
        'Dashboards, saved reports or schedules of messages use the segment; `used_by` names them.',
        ErrorWith({ used_by: UsedBy }),
        {
          error:
            'The segment "Whales" is used by the card "Retention" of the dashboard "Main": take it out of them first',
          used_by: ['the card "Retention" of the dashboard "Main"'],
        },
      ),
    },
  },
);
