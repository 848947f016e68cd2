import type { Card } from '@overworld/contract/dashboards/cards';
import type { DashboardLink } from '@overworld/contract/dashboards/links';
import type { Environment } from '@overworld/contract/common';
import { hashToken } from '../../../platform/auth/random-token.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { selectCount } from '../../../platform/database/select-count.ts';
import { sql } from '../../../platform/database/sql.ts';
import type { DashboardKey } from '../store.ts';

/** The dashboard that a link opens, with the fields that a reader of the link may see. */
export interface LinkedDashboard {
  game_id: string;
  link_id: string;
  environment: Environment;
  expires_at: string;
  is_expired: boolean;
  is_revoked: boolean;
  /** True if a use of the link must be stored now, because the last stored use is more than a minute old. */
  is_use_due: boolean;
  game_name: string;
  time_zone: string;
  /** The current day in the time zone of the game. */
  today: string;
  name: string;
  cards: Card[];
}

const columns = sql`id, environment, note, created_at, created_by, expires_at, last_used_at`;
const works = sql`revoked_at IS NULL AND expires_at > now()`;

/** Lists the working links of a dashboard, the newest first. */
export const listLinks = (
  database: Queryable,
  { game_id, dashboard_id }: DashboardKey,
): Promise<DashboardLink[]> =>
  database.query(sql`
    SELECT ${columns} FROM dashboard_links
    WHERE game_id = ${game_id} AND dashboard_id = ${dashboard_id} AND ${works}
    ORDER BY created_at DESC, id`);

export const countLinks = (
  database: Queryable,
  { game_id, dashboard_id }: DashboardKey,
): Promise<number> =>
  selectCount(
    database,
    sql`dashboard_links
      WHERE game_id = ${game_id} AND dashboard_id = ${dashboard_id} AND ${works}`,
  );

export async function insertLink(
  tx: Queryable,
  { game_id, dashboard_id }: DashboardKey,
  fields: {
    token: string;
    environment: Environment;
    note: string;
    expires_in_days: number;
    created_by: string | null;
  },
): Promise<DashboardLink> {
  const { token, environment, note, expires_in_days, created_by } = fields;
  const row = await tx.queryOne<DashboardLink>(sql`
    INSERT INTO dashboard_links
      (game_id, dashboard_id, environment, token_hash, note, created_by, expires_at)
    VALUES (${game_id}, ${dashboard_id}, ${environment}, ${hashToken(token)}, ${note},
            ${created_by}, now() + ${expires_in_days}::integer * interval '1 day')
    RETURNING ${columns}`);
  return row!;
}

/** @returns the note of the link; null when the dashboard has no such working link. */
export async function revokeLink(
  tx: Queryable,
  { game_id, dashboard_id, link_id }: DashboardKey & { link_id: string },
): Promise<{ note: string } | null> {
  return tx.queryOne(sql`
    UPDATE dashboard_links SET revoked_at = now()
    WHERE game_id = ${game_id} AND dashboard_id = ${dashboard_id} AND id = ${link_id} AND ${works}
    RETURNING note`);
}

/** Finds the dashboard that a link opens. Also finds it for a link that is revoked or expired. */
export const findLinked = (database: Queryable, token: string): Promise<LinkedDashboard | null> =>
  database.queryOne(sql`
    SELECT links.game_id, links.id AS link_id, environment, expires_at,
           expires_at <= now() AS is_expired, revoked_at IS NOT NULL AS is_revoked,
           coalesce(last_used_at < now() - interval '1 minute', true) AS is_use_due,
           games.name AS game_name, time_zone, (now() AT TIME ZONE time_zone)::date::text AS today,
           dashboards.name, cards
    FROM dashboard_links AS links
    JOIN dashboards ON dashboards.game_id = links.game_id AND dashboards.id = dashboard_id
    JOIN games ON games.id = links.game_id
    WHERE token_hash = ${hashToken(token)}`);

export async function noteUse(
  database: Queryable,
  { game_id, link_id }: Pick<LinkedDashboard, 'game_id' | 'link_id'>,
): Promise<void> {
  await database.execute(sql`
    UPDATE dashboard_links SET last_used_at = now() WHERE game_id = ${game_id} AND id = ${link_id}`);
}

/** Deletes links a month after their end. Until then their readers are told the reason. */
export async function deleteOldLinks(database: Queryable): Promise<void> {
  await database.execute(sql`
    DELETE FROM dashboard_links
    WHERE least(expires_at, revoked_at) < now() - interval '30 days'`);
}
