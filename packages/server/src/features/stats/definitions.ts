import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { changeDefinitions } from '../../platform/game-change.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import type { Catalogue } from './catalogue.ts';
import { hasFewDecimals } from './changes/decimals.ts';
import {
  countStats,
  deleteStat,
  findStat,
  insertStat,
  lockAndFindValues,
  updateStat,
} from './definition-store.ts';
import type { StatFields } from './definition-store.ts';

interface NewStat extends Partial<StatFields> {
  key: string;
  name: string;
}

export const DEFAULTS = {
  description: '',
  aggregation: 'sum' as Aggregation,
  minimum: null,
  maximum: null,
  max_change: null,
  writes_from: 'anyone' as const,
  archived: false,
};

/**
 * Changes a game's statistics one change at a time. Each change is written to the audit log, and clients see
 * it at once.
 */
export function createDefinitions(catalogues: DefinitionCache<Catalogue>) {
  return {
    create: (database: Database, game_id: string, { key, ...given }: NewStat, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const stat = { ...DEFAULTS, ...given };
        requireSound(stat);
        if ((await findStat(tx, game_id, key)) !== null) throw keyTaken();
        await requireRoom(tx, game_id, 'stats', await countStats(tx, game_id));
        await insertStat(tx, game_id, key, stat);
        await record('create_stat', key, stat);
        return (await findStat(tx, game_id, key))!;
      }),

    update: (
      database: Database,
      game_id: string,
      key: string,
      changes: Partial<StatFields>,
      actor: Actor,
    ) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const found = await findStat(tx, game_id, key);
        if (found === null) throw statNotFound();
        await changeStat(tx, game_id, key, { ...found, ...changes });
        await record('update_stat', key, changes);
        return (await findStat(tx, game_id, key))!;
      }),

    delete: (database: Database, game_id: string, key: string, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const found = await findStat(tx, game_id, key);
        if (found === null) throw statNotFound();
        const deleted = await deleteOrArchive(tx, game_id, key);
        await record(deleted ? 'delete_stat' : 'archive_stat', key, { name: found.name });
        return deleted ? ('deleted' as const) : ('archived' as const);
      }),
  };
}

/**
 * Replaces all fields of a statistic that exists.
 * @throws ApiError 409 when the aggregation would change while players have values, 400 when the fields
 * contradict each other.
 */
export async function changeStat(
  tx: Queryable,
  game_id: string,
  key: string,
  stat: StatFields,
): Promise<void> {
  requireSound(stat);
  const before = await findStat(tx, game_id, key);
  if (before!.aggregation !== stat.aggregation && (await lockAndFindValues(tx, game_id, key))) {
    throw conflict(
      `aggregation cannot change from ${before!.aggregation} to ${stat.aggregation}, because players have values of this statistic: make another one`,
    );
  }
  await updateStat(tx, game_id, key, stat);
}

/** Deletes a statistic, or archives it if players have values. @returns whether it was deleted. */
export async function deleteOrArchive(
  tx: Queryable,
  game_id: string,
  key: string,
): Promise<boolean> {
  const has_values = await lockAndFindValues(tx, game_id, key);
  if (!has_values) {
    await deleteStat(tx, game_id, key);
    return true;
  }
  const stat = (await findStat(tx, game_id, key))!;
  await updateStat(tx, game_id, key, { ...stat, archived: true });
  return false;
}

/** @throws ApiError 400 for fields that contradict each other, or a number with too many decimals. */
export function requireSound(stat: StatFields): void {
  const { aggregation, minimum, maximum, max_change } = stat;
  for (const name of ['minimum', 'maximum', 'max_change'] as const) {
    if (!hasFewDecimals(stat[name] ?? 0)) throw badRequest(`${name} must have at most 6 decimals`);
  }
  if (minimum !== null && maximum !== null && minimum > maximum) {
    throw badRequest('minimum must not be more than maximum');
  }
  if (max_change === null) return;
  if (max_change <= 0) throw badRequest('max_change must be more than 0');
  if (aggregation !== 'sum') throw badRequest('max_change needs the aggregation sum');
}

const keyTaken = () => conflict('A statistic with this key exists already');

export const statNotFound = () => notFound('Statistic not found');
