import type { Card } from '@overworld/contract/dashboards/cards';
import type { Dashboard } from '@overworld/contract/dashboards/dashboards';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';

export interface DashboardKey {
  game_id: string;
  dashboard_id: string;
}

type DashboardSummary = Omit<Dashboard, 'cards'> & { card_count: number };

const summary = sql`id, name, position, version, updated_at, updated_by, (
    SELECT count(*) FROM dashboard_links
    WHERE dashboard_links.game_id = dashboards.game_id AND dashboard_id = dashboards.id
      AND revoked_at IS NULL AND expires_at > now()
  ) AS link_count`;

/** Lists the dashboards of a game by position. */
export const listDashboards = (database: Queryable, game_id: string): Promise<DashboardSummary[]> =>
  database.query(sql`
    SELECT ${summary}, jsonb_array_length(cards) AS card_count
    FROM dashboards
    WHERE game_id = ${game_id}
    ORDER BY position, id`);

/** Lists the names of all dashboards by position, and the JSON of their cards. */
export const listCardTexts = (
  database: Queryable,
  game_id: string,
): Promise<{ name: string; cards: string }[]> =>
  database.query(sql`
    SELECT name, cards::text AS cards FROM dashboards
    WHERE game_id = ${game_id} ORDER BY position, id`);

export const findDashboard = (
  database: Queryable,
  { game_id, dashboard_id }: DashboardKey,
): Promise<Dashboard | null> =>
  database.queryOne(sql`
    SELECT ${summary}, cards FROM dashboards WHERE game_id = ${game_id} AND id = ${dashboard_id}`);

/** @returns the id of the dashboard. */
export async function insertDashboard(
  tx: Queryable,
  game_id: string,
  fields: { name: string; position: number; cards: readonly Card[]; updated_by: string | null },
): Promise<string> {
  const { name, position, cards, updated_by } = fields;
  const row = await tx.queryOne<{ id: string }>(sql`
    INSERT INTO dashboards (game_id, name, position, cards, updated_by)
    VALUES (${game_id}, ${name}, ${position}, ${JSON.stringify(cards)}, ${updated_by})
    RETURNING id`);
  return row!.id;
}

/** Stores the dashboard's name and cards, and raises its version by 1. */
export async function updateDashboard(
  tx: Queryable,
  { game_id, dashboard_id }: DashboardKey,
  fields: { name: string; cards: readonly Card[]; updated_by: string | null },
): Promise<void> {
  await tx.execute(sql`
    UPDATE dashboards
    SET name = ${fields.name}, cards = ${JSON.stringify(fields.cards)}, version = version + 1,
        updated_at = now(), updated_by = ${fields.updated_by}
    WHERE game_id = ${game_id} AND id = ${dashboard_id}`);
}

/** Gives the dashboards the positions 1, 2, 3… in the order of their ids. */
export async function updatePositions(
  tx: Queryable,
  game_id: string,
  ids: readonly string[],
): Promise<void> {
  await tx.execute(sql`
    UPDATE dashboards
    SET position = ordered.position
    FROM unnest(${ids}::uuid[]) WITH ORDINALITY AS ordered (id, position)
    WHERE game_id = ${game_id} AND dashboards.id = ordered.id
      AND dashboards.position <> ordered.position`);
}

export async function deleteDashboard(
  tx: Queryable,
  { game_id, dashboard_id }: DashboardKey,
): Promise<void> {
  await tx.execute(
    sql`DELETE FROM dashboard_links WHERE game_id = ${game_id} AND dashboard_id = ${dashboard_id}`,
  );
  await tx.execute(sql`DELETE FROM dashboards WHERE game_id = ${game_id} AND id = ${dashboard_id}`);
}
