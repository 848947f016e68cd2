import { Type } from 'typebox';
import type { Static } from 'typebox';
import { ANALYTICS_GROUP } from './report.ts';
import {
  errorAnswer,
  GameId,
  merge,
  Name,
  PageOf,
  PageQuery,
  Resource,
  Timestamp,
} from '../common.ts';
import { defineOperation } from '../operation.ts';

/** Most saved reports of a game. */
export const MAX_SAVED_REPORTS = 500;
/** Longest query of a saved report, in characters. */
export const MAX_SAVED_QUERY_LENGTH = 16_384;

/** Reports that are worth a name: those whose question takes some building. */
export const SAVED_REPORT_KINDS = ['funnel', 'breakdown', 'segment'] as const;
const Kind = Type.Enum([...SAVED_REPORT_KINDS], {
  description: 'Which report it is: the last part of its path.',
});

const Query = Type.String({
  minLength: 1,
  maxLength: MAX_SAVED_QUERY_LENGTH,
  description:
    'What the report asks: its query string without `environment`, dates and `format`, such as `group_by=item&event_name=purchase`. Kept as it is; the report checks it when it is asked.',
});

const SavedReport = Resource('SavedReport', {
  kind: Kind,
  name: Type.String({ description: 'Name of the report, unique among those of its kind.' }),
  query: Query,
  updated_at: Timestamp('When it was last saved.'),
});
export type SavedReport = Static<typeof SavedReport>;

const example = {
  kind: 'breakdown' as const,
  name: 'Spending by item',
  query: 'event_name=purchase&group_by=item&property=price',
  updated_at: '2026-03-01T18:24:05.120Z',
};

const group = ANALYTICS_GROUP;
const params = Type.Object({ game_id: GameId, kind: Kind, name: Name('Name of the report.') });

export const listSavedReports = defineOperation({
  id: 'listSavedReports',
  method: 'GET',
  path: '/v1/games/{game_id}/saved-reports',
  access: 'viewer',
  group,
  summary: 'List saved reports',
  description:
    'The questions that the members of the game have given a name, for both environments, by kind and name.',
  params: Type.Object({ game_id: GameId }),
  query: merge(PageQuery, Type.Object({ kind: Type.Optional(Kind) })),
  answers: {
    200: {
      description: 'A page of saved reports.',
      body: PageOf('saved_reports', SavedReport),
      example: { saved_reports: [example], next_cursor: null },
    },
  },
});

export const putSavedReport = defineOperation({
  id: 'putSavedReport',
  method: 'PUT',
  path: '/v1/games/{game_id}/saved-reports/{kind}/{name}',
  access: 'developer',
  group,
  summary: 'Save a report under a name',
  description: `Replaces the report of this kind and name where there is one. A game has at most ${MAX_SAVED_REPORTS}. What the report answers is not saved: it is asked anew whenever it is opened.`,
  params,
  body: Type.Object({ query: Query }),
  example: { query: example.query },
  answers: {
    200: { description: 'The report is saved.', body: SavedReport, example },
    409: errorAnswer(
      'The game has as many saved reports as it may have.',
      `A game may have at most ${MAX_SAVED_REPORTS} saved reports`,
    ),
  },
});

export const deleteSavedReport = defineOperation({
  id: 'deleteSavedReport',
  method: 'DELETE',
  path: '/v1/games/{game_id}/saved-reports/{kind}/{name}',
  access: 'developer',
  group,
  summary: 'Delete a saved report',
  description: 'Nothing but its name and question is lost.',
  params,
  answers: {
    204: { description: 'The report is deleted.' },
    404: errorAnswer(
      'The game or the report does not exist, or the account is no member of the game.',
      'Saved report not found',
    ),
  },
});
