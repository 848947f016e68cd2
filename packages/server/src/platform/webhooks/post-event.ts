import type { Environment } from '@overworld/contract/common';
import type { AlertEventType, ServiceEventType } from '@overworld/contract/webhooks/service-events';
import type { Queryable } from '../database/database.ts';
import { sql } from '../database/sql.ts';
import type { Sql } from '../database/sql.ts';

/** An event that the service reports to webhooks. */
export interface ServiceEvent {
  game_id: string;
  /** Null: the event is about the whole game. */
  environment: Environment | null;
  type: ServiceEventType;
  /** The player whom the message names. When the player is erased, the message is deleted. */
  player_id: string | null;
  data: object;
}

/**
 * Adds a message for each webhook that listens to this type of event. Call it in the transaction that makes
 * the event. For a game without webhooks this costs one index look-up.
 */
export async function postEvent(tx: Queryable, event: ServiceEvent): Promise<void> {
  const { game_id, environment, type, player_id, data } = event;
  await tx.execute(
    insertDeliveries(sql`(
      SELECT ${game_id}::uuid AS game_id, ${environment}::environment AS environment,
             ${player_id}::text AS player_id, ${type}::text AS type,
             ${JSON.stringify(data)}::json AS data) AS happened`),
  );
}

/** Sends a message to the given webhooks of a game, if they are enabled, whatever events they listen to. */
export async function postToWebhooks(
  tx: Queryable,
  webhook_ids: readonly string[],
  { game_id, environment, type, data }: Omit<ServiceEvent, 'type'> & { type: AlertEventType },
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO webhook_deliveries (game_id, webhook_id, event_type, environment, body)
    SELECT game_id, id, ${type}, ${environment},
           ${bodyOf(sql`${type}::text`, sql`${JSON.stringify(data)}::json`)}
    FROM webhooks
    WHERE game_id = ${game_id} AND id = ANY(${[...webhook_ids]}::uuid[]) AND disabled_at IS NULL`);
}

/** SQL for a moment, in the format of times in the API. */
export const apiTimestamp = (moment: Sql): Sql =>
  sql`to_char(${moment} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/**
 * SQL for a statement or common table expression that inserts a message for each event and each webhook
 * that listens to it.
 * @param happened Rows with the alias `happened`: game_id, environment, player_id, type and data (JSON).
 */
export const insertDeliveries = (happened: Sql): Sql => sql`
  INSERT INTO webhook_deliveries (game_id, webhook_id, event_type, environment, player_id, body)
  SELECT happened.game_id, webhooks.id, type, happened.environment, happened.player_id,
         ${bodyOf(sql`type`, sql`data`)}
  FROM ${happened}
  JOIN webhooks ON webhooks.game_id = happened.game_id AND disabled_at IS NULL
    AND type = ANY(events)
    AND (happened.environment IS NULL OR happened.environment::text = ANY(environments))`;

/** SQL for the body of a message, whose members are always in this order. */
export const bodyOf = (type: Sql, data: Sql): Sql => sql`
  json_build_object('type', ${type}, 'timestamp', ${apiTimestamp(sql`now()`)}, 'data', ${data})::text`;
