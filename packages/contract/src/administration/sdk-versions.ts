import { answer } from '../answers.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';
import { MAX_SDK_VERSIONS, SDK_DAYS, SDKS } from '../games/sdk-versions.ts';

const operation = operationsIn('Administration');

/** The number of games that an answer names for a version. */
export const MAX_GAMES_OF_VERSION = 5;

export const listAllSdkVersions = operation('GET /v1/admin/sdk-versions', {
  access: 'administrator',
  summary: 'List the SDK versions that call any game',
  description: `The counts of \`GET /v1/games/{game_id}/sdk-versions\` over all games and both environments, with the most calls first, and the games that call with each version. At most ${MAX_SDK_VERSIONS} versions are listed, because callers can invent versions. An answer may be a minute old.`,
  query: t.Object({
    days: t.Integer('Days (UTC) that count, today included.', {
      minimum: 1,
      maximum: SDK_DAYS,
      default: 7,
    }),
  }),
  answers: {
    200: answer(
      'The versions.',
      t.Resource('InstallationSdkVersions', {
        server_version: t.String('The release of this server, whose SDKs are at `/sdk/…`.'),
        sdk_versions: t.Array(
          t.Object({
            sdk: t.Enum(SDKS, 'The SDK; `server` is the client for studio servers.'),
            version: t.String('Version of the SDK, such as `1.4.0`.'),
            call_count: t.Integer('Calls of these days.'),
            last_day: t.Day('The last day (UTC) with a call.'),
            is_older: t.Boolean('True if the version is older than the server.'),
            game_count: t.Integer('Games that call with it.'),
            games: t.Array(
              t.Object({
                id: t.Uuid('Id of the game.'),
                name: t.String('Name of the game.'),
                call_count: t.Integer('Its calls of these days.'),
              }),
              { description: `The ${MAX_GAMES_OF_VERSION} games with the most of these calls.` },
            ),
          }),
        ),
        other_call_count: t.Integer('Calls that name other versions, or no valid version.'),
        unnamed_call_count: t.Integer(
          'Calls without the header: of plain HTTP, and of SDKs of earlier releases.',
        ),
      }),
      {
        server_version: '1.4.0',
        sdk_versions: [
          {
            sdk: 'unity',
            version: '1.3.2',
            call_count: 20_371,
            last_day: '2026-11-20',
            is_older: true,
            game_count: 1,
            games: [
              {
                id: '0d3a7c0e-6f0f-4c55-8f4e-8a0c2a1d9b42',
                name: 'Sky Harbour',
                call_count: 20_371,
              },
            ],
          },
        ],
        other_call_count: 0,
        unnamed_call_count: 122,
      },
    ),
  },
});
