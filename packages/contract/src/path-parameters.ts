import type { TObject } from 'typebox';
import { GameId, LinkToken, PlayerId } from './common.ts';
import { t } from './schema.ts';

const ACHIEVEMENT_KEY = 'Identifies the achievement within its game.';
export const AchievementKey = t.Name(ACHIEVEMENT_KEY);
export const NewAchievementKey = t.NewName(ACHIEVEMENT_KEY);
const STAT_KEY = 'Identifies the statistic within its game.';
export const StatKey = t.Name(STAT_KEY);
export const NewStatKey = t.NewName(STAT_KEY);
const METRIC_KEY = 'Identifies the metric within its game.';
export const MetricKey = t.Name(METRIC_KEY);
export const NewMetricKey = t.NewName(METRIC_KEY);
const BOARD_NAME = 'Identifies the board within its game.';
export const BoardName = t.Name(BOARD_NAME);
export const NewBoardName = t.NewName(BOARD_NAME);

/**
 * The path parameters that are ids of things in a game, with the word for each thing. If the thing does not
 * exist, the operation answers 404 with this word.
 */
const THINGS = {
  alert_id: 'alert',
  annotation_id: 'annotation',
  card_id: 'card',
  decision_id: 'decision',
  dashboard_id: 'dashboard',
  delivery_id: 'message',
  experiment_id: 'experiment',
  grant_id: 'grant',
  invitation_id: 'invitation',
  key_id: 'API key',
  link_id: 'link',
  message_id: 'message',
  message_schedule_id: 'message schedule',
  release_id: 'release',
  restoration_id: 'restoration',
  schedule_id: 'scheduled change',
  token_id: 'access token',
  webhook_id: 'webhook',
};

const thingIds = Object.fromEntries(
  Object.entries(THINGS).map(([name, thing]) => [name, t.Uuid(`Id of the ${thing}.`)]),
) as Record<keyof typeof THINGS, ReturnType<typeof t.Uuid>>;

/**
 * Returns the word for the thing whose id is the last parameter of a path. Returns undefined if that
 * parameter is not in `THINGS`.
 */
export function thingOf(path: string): string | undefined {
  const name = path.slice(path.lastIndexOf('{') + 1, path.lastIndexOf('}'));
  return (THINGS as Record<string, string>)[name];
}

/** The schemas of all parameters that a path can have. */
const PATH_PARAMETERS = {
  game_id: GameId,
  player_id: PlayerId,
  key: AchievementKey,
  stat_key: StatKey,
  metric_key: MetricKey,
  board_name: BoardName,
  event_name: t.Name('Name of the event.'),
  account_id: t.String('Id of the account (uuid).'),
  token: LinkToken,
  session_id: t.String('Id of the session (uuid).'),
  device_id: t.String('Id of the browser (uuid).'),
  task_name: t.String('Name of the task.'),
  passkey_id: t.String('Id of the passkey (uuid).'),
  ...thingIds,
};
type PathParameters = typeof PATH_PARAMETERS;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/**
 * The type of the result of `parametersOf`. It is `never` if the path has a parameter that is not in
 * `PATH_PARAMETERS`.
 */
export type ParametersOf<Path extends string> = [NamesIn<Path>] extends [never]
  ? undefined
  : NamesIn<Path> extends keyof PathParameters
    ? TObject<Pick<PathParameters, NamesIn<Path>>>
    : never;

/** The parameters of a path, such as `/v1/games/{game_id}`; undefined if it has none. */
export function parametersOf(path: string): TObject | undefined {
  const names = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as keyof PathParameters);
  if (names.length === 0) return undefined;
  return t.Object(Object.fromEntries(names.map((name) => [name, PATH_PARAMETERS[name]])));
}
