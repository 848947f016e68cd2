import type { Static } from 'typebox';
import { answer, pageAnswer } from '../answers.ts';
import { EnvironmentPageQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { SESSION_START } from '../players/first-session.ts';
import { t } from '../schema.ts';
import {
  COMMON_STARTS,
  MAX_RELEASE_NAME_LENGTH,
  MAX_RELEASE_NOTE_LENGTH,
  MAX_RELEASES,
  MAX_STRAY_STARTS,
  MAX_VERSION_LENGTH,
  STARTS_PER_STRAY,
  VERSION_PROPERTY,
} from './release-limits.ts';

const operation = operationsIn('Analytics');

const Release = t.Resource('Release', {
  id: t.Uuid('Id of the release.'),
  version: t.String(`The \`${VERSION_PROPERTY}\` that the game sent.`),
  name: t.Nullable(t.String('The name that a member gave it.')),
  note: t.Nullable(t.String('What a member noted about it.')),
  first_started_at: t.Timestamp(
    `The first start of a session with this version. Of its starts, the earliest ${100 / STARTS_PER_STRAY} percent, at most ${MAX_STRAY_STARTS}, are left out, because a wrong clock can make some. Events that arrive late may move it; the erasure of a player does not.`,
  ),
  first_day: t.Day('The day of that start, in the time zone of the game.'),
  is_rare: t.Boolean(
    `Whether fewer than ${COMMON_STARTS} sessions have started with it, such as those of a test build. Charts do not mark a rare version without a name.`,
  ),
  is_hidden: t.Boolean('Whether a member took it off charts and short lists.'),
});
export type Release = Static<typeof Release>;

export const exampleRelease: Release = {
  id: '5d0c2a34-9b1e-4f6a-8c7d-2e3f40516273',
  version: '1.5.0',
  name: 'Winter festival',
  note: 'New tutorial',
  first_started_at: '2026-03-01T09:12:44.180Z',
  first_day: '2026-03-01',
  is_rare: false,
  is_hidden: false,
};

export const listReleases = operation('GET /v1/games/{game_id}/releases', {
  access: 'viewer',
  token_role: 'reports',
  summary: 'List the versions of the game',
  description: [
    `The versions that players have started, the newest first. A version is noticed by itself when a \`${SESSION_START}\` of a player has it as \`${VERSION_PROPERTY}\`: a text of at most ${MAX_VERSION_LENGTH} characters.`,
    `Each environment has at most ${MAX_RELEASES}. When they are full, a new version takes the place of one without name and note: of one that is hidden, else of the one with the fewest starts of sessions. A new version takes over what its place has counted, so that each version with more than 1/${MAX_RELEASES} of all starts stays, however many others are sent.`,
  ].join('\n\n'),
  query: t.Object({
    ...EnvironmentPageQuery.properties,
    with_all: t.Optional(
      t.Boolean('True: also versions that are hidden, or are rare and have no name.'),
    ),
  }),
  answers: { 200: pageAnswer('A page of releases.', 'releases', Release, exampleRelease) },
});

export const updateRelease = operation('PATCH /v1/games/{game_id}/releases/{release_id}', {
  access: 'developer',
  summary: 'Name, note or hide a release',
  description: 'Members that are left out stay as they are.',
  body: t.Changes({
    name: t.Nullable(
      t.NewName('Stands beside the version; null removes it.', MAX_RELEASE_NAME_LENGTH),
    ),
    note: t.Nullable(
      t.String('What is to know about it; null removes it.', {
        minLength: 1,
        maxLength: MAX_RELEASE_NOTE_LENGTH,
      }),
    ),
    is_hidden: t.Boolean('True takes it off charts and short lists, false puts it back.'),
  }),
  example: { name: exampleRelease.name, note: exampleRelease.note },
  answers: { 200: answer('It is changed.', Release, exampleRelease) },
});
