import { Fields as Achievement } from '../achievements/definitions.ts';
import { createAlert } from '../alerts/alerts.ts';
import { ENVIRONMENTS } from '../common.ts';
import { putEventSchema } from '../events/schemas.ts';
import { updateGame } from '../games/games.ts';
import { updateShares } from '../games/shares.ts';
import { putLeaderboard } from '../leaderboards/settings.ts';
import { SAVED_REPORT_KINDS } from '../analytics/reports.ts';
import { putRevenueSettings } from '../analytics/revenue-settings.ts';
import { putSavedReport } from '../analytics/saved-reports.ts';
import { SentCard } from '../dashboards/cards.ts';
import { createDashboard } from '../dashboards/dashboards.ts';
import { MAX_CARDS } from '../dashboards/limits.ts';
import { MetricFields } from '../metrics/metrics.ts';
import { NewAchievementKey, NewBoardName, NewMetricKey, NewStatKey } from '../path-parameters.ts';
import { putLoginProvider } from '../players/logins-dashboard.ts';
import { updatePlayerVerification } from '../players/verification.ts';
import { Parameters } from '../remote-config/config.ts';
import { DefinitionFields } from '../remote-config/experiment-definition.ts';
import { t } from '../schema.ts';
import { Fields as Stat, optionalFields as optionalStatFields } from '../stats/definitions.ts';
import { createWebhook } from '../webhooks/webhooks.ts';

/** The kinds of definitions, in the order in which they are made. They are deleted before, in the other order. */
export const DEFINITION_KINDS = [
  'stat',
  'achievement',
  'leaderboard',
  'event_schema',
  'metric',
  'remote_config',
  'experiment',
  'segment',
  'saved_report',
  'dashboard',
  'player_verification',
  'shares',
  'revenue_settings',
  'game_settings',
  'webhook',
  'login_provider',
  'alert',
] as const;
export type DefinitionKindName = (typeof DEFINITION_KINDS)[number];

/** Unknown members are refused, because a misspelled one would silently be no part of the definition. */
const strict = { additionalProperties: false };

const Position = t.Optional(
  t.Integer(
    'Place in the list. Only the order counts: gaps are closed. Without a place, a thing keeps the one that it has, and a new one comes last.',
    { minimum: 1 },
  ),
);

const Environment = t.Enum(ENVIRONMENTS, 'The environment.');

/** The key of settings that a game has once. */
const Game = t.Enum(['game'], 'Always `game`, because a game has these settings once.');

const { production_event_validation, development_event_validation, player_name_property } =
  updateGame.body.properties;

/** Secrets are never in files. */
const { secret: __, web_api_key: ___, ...providerMembers } = putLoginProvider.body.properties;

/** Ids are of the server, and not of the files. */
const { id: _, ...sentCardMembers } = SentCard.properties;
const cardMembers = {
  ...sentCardMembers,
  experiment: t.Optional(
    t.String(
      'For `results`: the key of the experiment, such as `production/Higher daily reward`, in place of its id in `query`.',
      { minLength: 1 },
    ),
  ),
};

/** Keys of things that an environment has, and that are known by their names. */
const KeyIn = (example: string) =>
  t.String(
    `The environment and the name, such as \`${example}\`. Of several things of one name, the younger ones have keys such as \`${example} (2)\`.`,
  );

/** Members are of no game alone, and leave: they are not in files. */
const {
  name: _name,
  environment: _environment,
  account_ids: _accounts,
  ...alertMembers
} = createAlert.body.properties;

const { name: _title, ...experimentMembers } = DefinitionFields;

/** The schema of the key and of the rest of a definition of each kind. */
export const DEFINITION_SCHEMAS = {
  stat: {
    key: NewStatKey,
    definition: t.Object(
      {
        name: Stat.name,
        ...optionalStatFields,
        archived: t.Optional(t.Boolean('True: it is no longer changed or listed for games.')),
      },
      strict,
    ),
  },
  achievement: {
    key: NewAchievementKey,
    definition: t.Object(
      {
        name: Achievement.name,
        description: t.Optional(Achievement.description),
        translations: t.Optional(Achievement.translations),
        icon_url: t.Optional(Achievement.icon_url),
        points: t.Optional(Achievement.points),
        unlock_when: t.Optional(Achievement.unlock_when),
        hidden: t.Optional(Achievement.hidden),
        writes_from: t.Optional(Achievement.writes_from),
        position: Position,
        archived: t.Optional(t.Boolean('True: it is not in the catalogue.')),
      },
      strict,
    ),
  },
  leaderboard: {
    key: NewBoardName,
    definition: t.Object(putLeaderboard.body.properties, strict),
  },
  event_schema: {
    key: putEventSchema.params.properties.event_name,
    definition: t.Object(putEventSchema.body.properties, strict),
  },
  metric: {
    key: NewMetricKey,
    definition: t.Object(MetricFields, strict),
  },
  remote_config: {
    key: Environment,
    definition: t.Object({ parameters: Parameters }, strict),
  },
  experiment: {
    key: KeyIn('production/Higher daily reward'),
    definition: t.Object(experimentMembers, strict),
  },
  segment: {
    key: putSavedReport.params.properties.name,
    definition: t.Object({ query: putSavedReport.body.properties.query }, strict),
  },
  saved_report: {
    key: t.String(
      `The kind of the report and its name, such as \`funnel/Tutorial\`. The kinds are ${SAVED_REPORT_KINDS.filter((kind) => kind !== 'segment').join(', ')}.`,
    ),
    definition: t.Object({ query: putSavedReport.body.properties.query }, strict),
  },
  dashboard: {
    key: createDashboard.body.properties.name,
    definition: t.Object(
      {
        cards: t.Array(t.Object(cardMembers, strict), {
          maxItems: MAX_CARDS,
          description: 'All cards, in the order in which they are shown.',
        }),
        position: Position,
      },
      strict,
    ),
  },
  alert: {
    key: KeyIn('production/Players stay away'),
    definition: t.Object(alertMembers, strict),
  },
  player_verification: {
    key: Environment,
    definition: t.Object(updatePlayerVerification.body.properties, strict),
  },
  shares: {
    key: Environment,
    definition: t.Object(updateShares.body.properties, strict),
  },
  revenue_settings: {
    key: Game,
    definition: t.Object(putRevenueSettings.body.properties, strict),
  },
  game_settings: {
    key: Game,
    definition: t.Object(
      {
        time_zone: t.String(
          'IANA time zone in which the days of the game begin and end, such as `Europe/Berlin`.',
          { minLength: 1, maxLength: 64 },
        ),
        production_event_validation,
        development_event_validation,
        player_name_property,
      },
      strict,
    ),
  },
  webhook: {
    key: t.Uuid('Id of the webhook, in small letters. For a new one, any other UUID.'),
    definition: t.Object(
      {
        ...createWebhook.body.properties,
        url: {
          ...createWebhook.body.properties.url,
          description:
            'Address that gets the messages. With `…` in place of path and query, such as `https://hooks.studio.example/…`, it keeps those that it has.',
        },
        enabled: t.Optional(
          t.Boolean('False: a member has disabled it. One that failures have disabled is enabled.'),
        ),
      },
      strict,
    ),
  },
  login_provider: {
    key: t.String('The environment and the name of the provider, such as `production/google`.'),
    definition: t.Object(providerMembers, strict),
  },
} as const satisfies Record<DefinitionKindName, unknown>;
