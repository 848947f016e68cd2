import type { Static } from 'typebox';
import { answer, errorAnswer } from '../answers.ts';
import { EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import {
  MAX_ANNOTATIONS,
  MAX_ANNOTATIONS_SHOWN,
  MAX_ANNOTATION_LENGTH,
} from './annotation-limits.ts';
import { ReportQuery, ReportRange } from './report.ts';

const operation = operationsIn('Analytics');

const Text = t.String('The words that charts show.', {
  minLength: 1,
  maxLength: MAX_ANNOTATION_LENGTH,
});
const SentDay = t.Day('The day, in the time zone of the game. Given alone, for all of the day.');
const SentAt = t.Timestamp('The moment, such as `2026-03-01T18:00:00Z`. Given without `day`.');

const Annotation = t.Resource('Annotation', {
  id: t.String('Id of the annotation: a uuid where people wrote it.'),
  kind: t.Enum(
    ['note', 'config', 'key_rotation', 'release'],
    '`note`: a member wrote it. The others come by themselves: a version of the remote config, a new API key in place of another, and the first session with a version of the game.',
  ),
  day: t.Day('Its day, in the time zone of the game.'),
  at: t.Nullable(t.Timestamp('Its moment; null for all of the day.')),
  text: t.String('The words.'),
  created_by: t.Nullable(t.String('E-mail address of the account behind it.')),
  may_edit: t.Boolean('Whether the caller may change and delete it.'),
});
export type Annotation = Static<typeof Annotation>;

const example: Annotation = {
  id: 'c0a8f1d2-3b4c-4d5e-8f60-718293a4b5c6',
  kind: 'note',
  day: '2026-03-01',
  at: '2026-03-01T17:00:00.000Z',
  text: 'Featured on the front page of the shop',
  created_by: 'mira@studio.example',
  may_edit: true,
};

const { environment, from, to } = ReportQuery.properties;

export const listAnnotations = operation('GET /v1/games/{game_id}/annotations', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'List the annotations of the days of a chart',
  description: `Annotations that members wrote, and those that come by themselves: new versions of the remote config, rotations of API keys, and new versions of the game. In the order of time; of more than ${MAX_ANNOTATIONS_SHOWN}, the latest.`,
  query: t.Object({ environment, from, to }),
  answers: {
    200: answer(
      'The annotations of the days.',
      t.Object({
        ...ReportRange,
        annotations: t.Array(Annotation, { description: 'The annotations, the earliest first.' }),
        is_complete: t.Boolean('False if there are more than the answer holds.'),
      }),
      {
        from: '2026-03-01',
        to: '2026-03-30',
        time_zone: 'Europe/Berlin',
        annotations: [example],
        is_complete: true,
      },
    ),
  },
});

export const createAnnotation = operation('POST /v1/games/{game_id}/annotations', {
  access: 'developer',
  summary: 'Write an annotation for charts',
  description: `At a moment (\`at\`) or for a day (\`day\`). A game has at most ${MAX_ANNOTATIONS}.`,
  query: EnvironmentQuery,
  body: t.Object({ text: Text, day: t.Optional(SentDay), at: t.Optional(SentAt) }),
  example: { text: example.text, at: example.at },
  answers: {
    201: answer('It is written.', Annotation, example),
    409: errorAnswer(
      'The game has reached its limit of annotations.',
      `A game may have at most ${MAX_ANNOTATIONS} annotations: delete old ones first`,
    ),
  },
});

const notYours = errorAnswer(
  'The role is too low, or another member wrote the annotation and the role is below admin.',
  'Only its author and admins may change this annotation',
);

export const updateAnnotation = operation('PATCH /v1/games/{game_id}/annotations/{annotation_id}', {
  access: 'developer',
  summary: 'Change an annotation',
  description: 'For its author and for admins. Members that are left out stay as they are.',
  body: t.Changes({ text: Text, day: SentDay, at: SentAt }),
  example: { text: 'Featured on the front page' },
  answers: {
    200: answer('It is changed.', Annotation, { ...example, text: 'Featured on the front page' }),
    403: notYours,
  },
});

export const deleteAnnotation = operation(
  'DELETE /v1/games/{game_id}/annotations/{annotation_id}',
  {
    access: 'developer',
    summary: 'Delete an annotation',
    description: 'For its author and for admins. Those that come by themselves cannot be deleted.',
    answers: {
      204: { description: 'It is deleted.' },
      403: notYours,
    },
  },
);
