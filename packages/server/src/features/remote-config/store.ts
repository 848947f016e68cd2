import type { ListTotal } from '@overworld/contract/list-total';
import { KEPT_CONFIG_VERSIONS } from '@overworld/contract/remote-config/dashboard';
import type { Queryable } from '../../platform/database/database.ts';
import { sql } from '../../platform/database/sql.ts';
import type { Sql } from '../../platform/database/sql.ts';
import { readList } from '../../platform/http/page.ts';
import type { PageQuery } from '../../platform/http/page.ts';
import { parseExactly } from '../../platform/json/exact-json.ts';
import { isOfPlayer, isOfTenant } from '../../platform/players/player-key.ts';
import type { PlayerKey, Tenant } from '../../platform/players/player-key.ts';
import type { TraitNeeds, Traits } from '../../platform/players/traits.ts';
import type { Config } from './config.ts';
import type { ParametersText } from './parameters.ts';

/** The origin of a version: a rollback, a scheduled change, or an edit (then both members are null). */
export interface VersionOrigin {
  /** The version whose parameters a rollback brought back. */
  restored_version: number | null;
  /** The scheduled change that began or ended. */
  schedule: { id: string; name: string; edge: 'start' | 'end' } | null;
}

export interface StoredVersion extends VersionOrigin {
  version: number;
  created_at: string | null;
  /** The author's e-mail address; null for the command line and for version 0. */
  created_by: string | null;
  /** JSON text. */
  parameters: string;
  parameter_count: number;
}

const BEFORE_FIRST: StoredVersion = {
  version: 0,
  created_at: null,
  created_by: null,
  restored_version: null,
  schedule: null,
  parameters: '{}',
  parameter_count: 0,
};

const versionColumns = sql`version, created_at, created_by, restored_version, parameter_count,
  CASE WHEN schedule_id IS NULL THEN NULL
    ELSE jsonb_build_object('id', schedule_id, 'name', schedule_name, 'edge', schedule_edge)
  END AS schedule`;

/** Gets the current version. Before the first version this is version 0, without parameters. */
export async function getCurrentVersion(
  database: Queryable,
  tenant: Tenant,
): Promise<StoredVersion> {
  const row = await database.queryOne<StoredVersion>(sql`
    SELECT ${versionColumns}, parameters
    FROM config_versions
    WHERE ${isOfTenant(tenant)}
    ORDER BY version DESC
    LIMIT 1`);
  return row ?? BEFORE_FIRST;
}

export async function findVersion(
  database: Queryable,
  tenant: Tenant,
  version: number,
): Promise<StoredVersion | null> {
  return database.queryOne(sql`
    SELECT ${versionColumns}, parameters
    FROM config_versions
    WHERE ${isOfTenant(tenant)} AND version = ${version}`);
}

type ListedVersion = Omit<StoredVersion, 'parameters'>;

/** Reads a page of versions, the newest first. */
export async function readVersions(
  database: Queryable,
  tenant: Tenant,
  query: PageQuery,
): Promise<{ versions: ListedVersion[]; next_cursor: string | null; total?: ListTotal }> {
  const key = { version: 'integer' } as const;
  const { page, ...rest } = await readList(database, query, key, (from, before, count) =>
    from.query<ListedVersion>(sql`
      SELECT ${versionColumns}
      FROM config_versions
      WHERE ${isOfTenant(tenant)}
        AND (${before?.version}::integer IS NULL OR version < ${before?.version}::integer)
      ORDER BY version DESC
      LIMIT ${count}`),
  );
  return { versions: page, ...rest };
}

/** Stores a version, and deletes versions that are too old to be kept. */
export async function insertVersion(
  tx: Queryable,
  tenant: Tenant,
  version: VersionOrigin & { version: number; created_by: string | null },
  { text, count }: ParametersText,
): Promise<void> {
  await tx.execute(sql`
    INSERT INTO config_versions
      (game_id, environment, version, parameters, parameter_count, restored_version, created_by,
       schedule_id, schedule_name, schedule_edge)
    VALUES (${tenant.game_id}, ${tenant.environment}, ${version.version}, ${text}, ${count},
            ${version.restored_version}, ${version.created_by}, ${version.schedule?.id},
            ${version.schedule?.name}, ${version.schedule?.edge})`);
  await tx.execute(sql`
    DELETE FROM config_versions
    WHERE ${isOfTenant(tenant)} AND version <= ${version.version - KEPT_CONFIG_VERSIONS}`);
}

/**
 * Gets the traits of a player. A player who does not exist yet has no tags and no properties.
 * @param needs The traits that rules look at. Only these are loaded.
 */
export async function getTraits(
  database: Queryable,
  player: PlayerKey,
  needs: Config['needs'],
): Promise<Traits> {
  const { player_id } = player;
  if (needs === null) return { player_id, ...NO_TRAITS };
  const row = await database.queryOne<StoredTraits>(selectTraits(needs, isOfPlayer(player)));
  return row === null ? { player_id, ...NO_TRAITS } : readTraits(row);
}

/** The traits of a player of whom nothing is known. */
export const NO_TRAITS: Omit<Traits, 'player_id'> = { tags: new Set(), properties: {}, stats: {} };

/** A row of `selectTraits`. */
export interface StoredTraits {
  player_id: string;
  tags: string[];
  /** The text of a `jsonb`. */
  properties: string | null;
  /** The text of a `jsonb`; left out if no statistics were asked for. */
  stats?: string | null;
}

/** SQL that selects the tags of players, and those properties and statistics that are needed. */
export function selectTraits({ property_names, stat_keys }: TraitNeeds, isChosen: Sql): Sql {
  // PostgreSQL unpacks large properties each time that one of them is looked up: a millisecond for each name.
  // The result of an operator stays unpacked.
  const unpacked = property_names.length === 0 ? sql`NULL::jsonb` : sql`properties || '{}'`;
  return sql`
    SELECT player_id, tags, (
      SELECT jsonb_object_agg(name, properties -> name)
      FROM unnest(${property_names}::text[]) AS name
      WHERE properties ? name
    )::text AS properties ${stat_keys.length === 0 ? sql`` : selectStats(stat_keys)}
    FROM (
      SELECT game_id, environment, player_id, tags, ${unpacked} AS properties
      FROM players WHERE ${isChosen} OFFSET 0
    ) AS chosen`;
}

const selectStats = (stat_keys: readonly string[]): Sql => sql`, (
      SELECT jsonb_object_agg(key, value)
      FROM player_stats AS had
      WHERE had.game_id = chosen.game_id AND had.environment = chosen.environment
        AND had.player_id = chosen.player_id AND had.key = ANY(${[...stat_keys]}::text[])
    )::text AS stats`;

/** Reads a row of `selectTraits`. */
export const readTraits = ({ player_id, tags, properties, stats }: StoredTraits) => ({
  player_id,
  tags: new Set(tags) as ReadonlySet<string>,
  properties: readMembers(properties),
  stats: readMembers(stats),
});

const readMembers = (text: string | null | undefined): Traits['properties'] =>
  text === null || text === undefined ? {} : (parseExactly(text) as Traits['properties']);
