import type { TObject } from 'typebox';
import { GameId, LinkToken, PlayerId } from './common.ts';
import { t } from './schema.ts';

export const AchievementKey = t.Name('Identifies the achievement within its game.');
export const BoardName = t.Name('Identifies the board within its game.');

/** The parameters of paths, by their names. */
const PATH_PARAMETERS = {
  game_id: GameId,
  player_id: PlayerId,
  key: AchievementKey,
  board_name: BoardName,
  event_name: t.Name('Name of the event.'),
  account_id: t.String('Id of the account (uuid).'),
  token: LinkToken,
  session_id: t.String('Id of the session (uuid).'),
  device_id: t.String('Id of the browser (uuid).'),
  passkey_id: t.String('Id of the passkey (uuid).'),
  alert_id: t.Uuid('Id of the alert.'),
  annotation_id: t.Uuid('Id of the annotation.'),
  card_id: t.Uuid('Id of the card.'),
  decision_id: t.Uuid('Id of the decision.'),
  dashboard_id: t.Uuid('Id of the dashboard.'),
  delivery_id: t.Uuid('Id of the message.'),
  experiment_id: t.Uuid('Id of the experiment.'),
  invitation_id: t.Uuid('Id of the invitation.'),
  key_id: t.Uuid('Id of the key.'),
  link_id: t.Uuid('Id of the link.'),
  schedule_id: t.Uuid('Id of the scheduled change.'),
  webhook_id: t.Uuid('Id of the webhook.'),
};
type PathParameters = typeof PATH_PARAMETERS;

type NamesIn<Path extends string> = Path extends `${string}{${infer Name}}${infer Rest}`
  ? Name | NamesIn<Rest>
  : never;

/** The type of `parametersOf`; never for a path with a parameter that the list lacks. */
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
