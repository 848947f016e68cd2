import { answer } from '../answers.ts';
import { EnvironmentName, EnvironmentQuery } from '../common.ts';
import { operationsIn } from '../operations-in.ts';
import { t } from '../schema.ts';

const operation = operationsIn('Games');

/** The SDKs, by the names that their requests send in `SDK_HEADER`. `server` is for studios' own servers. */
export const SDKS = ['typescript', 'godot', 'unity', 'server'] as const;
export type Sdk = (typeof SDKS)[number];

/** The request header that names an SDK and its version, such as `godot/1.4.0`. */
export const SDK_HEADER = 'overworld-sdk';

/** The number of days for which calls are counted. */
export const SDK_DAYS = 30;

/** The largest number of versions that an answer lists. */
export const MAX_SDK_VERSIONS = 50;

export const listSdkVersions = operation('GET /v1/games/{game_id}/sdk-versions', {
  access: 'viewer',
  summary: 'List the SDK versions that call',
  description: `The versions by which games and studio servers have called in the last days, from the header \`${SDK_HEADER}\`, with the most calls first. Calls are counted by API key in memory and appear within ten seconds. A caller can invent versions, so at most ${MAX_SDK_VERSIONS} are listed.`,
  query: t.Object({
    ...EnvironmentQuery.properties,
    days: t.Integer('Days (UTC) that count, today included.', {
      minimum: 1,
      maximum: SDK_DAYS,
      default: 7,
    }),
  }),
  answers: {
    200: answer(
      'The versions.',
      t.Resource('SdkVersions', {
        environment: EnvironmentName,
        server_version: t.String('The release of this server, whose SDKs are at `/sdk/…`.'),
        sdk_versions: t.Array(
          t.Object({
            sdk: t.Enum(SDKS, 'The SDK; `server` is the client for studio servers.'),
            version: t.String('Version of the SDK, such as `1.4.0`.'),
            call_count: t.Integer('Calls of these days.'),
            last_day: t.Day('The last day (UTC) with a call.'),
            is_older: t.Boolean('True if the version is older than the server.'),
          }),
        ),
        other_call_count: t.Integer('Calls that name other versions, or no valid version.'),
        unnamed_call_count: t.Integer(
          'Calls without the header: of plain HTTP, and of SDKs of earlier releases.',
        ),
      }),
      {
        environment: 'production',
        server_version: '1.4.0',
        sdk_versions: [
          {
            sdk: 'godot',
            version: '1.4.0',
            call_count: 812_440,
            last_day: '2026-11-21',
            is_older: false,
          },
          {
            sdk: 'unity',
            version: '1.3.2',
            call_count: 20_371,
            last_day: '2026-11-20',
            is_older: true,
          },
        ],
        other_call_count: 0,
        unnamed_call_count: 122,
      },
    ),
  },
});
