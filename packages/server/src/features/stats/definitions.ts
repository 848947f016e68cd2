import { MAX_SOURCED_STATS } from '@overworld/contract/stats/stat-limits';
import type { Aggregation } from '@overworld/contract/stats/stat-limits';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { changeDefinitions } from '../../platform/game-change.ts';
import { requireUnused } from '../../platform/definition-uses.ts';
import type { EndangeredThing, ListUses } from '../../platform/definition-uses.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { requireFittingValues } from '../../platform/property-conditions.ts';
import type { Catalogue, StatSource } from './catalogue.ts';
import { hasFewDecimals } from './changes/decimals.ts';
import {
  countSourced,
  countStats,
  deleteStat,
  findStat,
  insertStat,
  lockAndFindValues,
  updateStat,
} from './definition-store.ts';
import type { StatFields } from './definition-store.ts';

/** The events that move a statistic, with defaults left out. */
type SentSource = Pick<StatSource, 'event_name'> & Partial<StatSource>;

/** The fields that a call gives. */
type SentFields = Partial<Omit<StatFields, 'source'>> & { source?: SentSource | null };

interface NewStat extends SentFields {
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
  source: null,
  archived: false,
};

/**
 * Asks, in the transaction of a change, for the statistics of the game whose source is new to be counted from its
 * stored events. Ingest of the game is paused from the commit on until they are.
 * @throws the error of PostgreSQL about a lock that is not free while the game is being counted.
 */
export type Recount = (tx: Queryable, game_id: string) => Promise<unknown>;

/**
 * Changes a game's statistics one change at a time. Each change is written to the audit log, and clients see
 * it at once.
 */
export function createDefinitions(
  catalogues: DefinitionCache<Catalogue>,
  recount: Recount,
  listUses: ListUses,
) {
  return {
    create: (database: Database, game_id: string, { key, ...given }: NewStat, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const stat = completeSource({ ...DEFAULTS, ...given });
        requireSound(stat);
        if ((await findStat(tx, game_id, key)) !== null) throw keyTaken();
        await requireRoom(tx, game_id, 'stats', await countStats(tx, game_id));
        await makeStat(tx, game_id, key, stat, recount);
        await record('create_stat', key, stat);
        return (await findStat(tx, game_id, key))!;
      }),

    update: (database: Database, game_id: string, key: string, changes: SentFields, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const found = await findStat(tx, game_id, key);
        if (found === null) throw statNotFound();
        await changeStat(tx, game_id, key, completeSource({ ...found, ...changes }), recount);
        await record('update_stat', key, changes);
        return (await findStat(tx, game_id, key))!;
      }),

    delete: (database: Database, game_id: string, key: string, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const found = await findStat(tx, game_id, key);
        if (found === null) throw statNotFound();
        await requireUnused(listUses, tx, game_id, endangeredStat(key));
        const deleted = await deleteOrArchive(tx, game_id, key);
        await record(deleted ? 'delete_stat' : 'archive_stat', key, { name: found.name });
        return deleted ? ('deleted' as const) : ('archived' as const);
      }),
  };
}

/** Makes a statistic whose key is free. @throws ApiError 400 when events move too many statistics of the game. */
export async function makeStat(
  tx: Queryable,
  game_id: string,
  key: string,
  stat: StatFields,
  recount: Recount,
): Promise<void> {
  await insertStat(tx, game_id, key, stat);
  if (isMovedByEvents(stat)) await countFromEvents(tx, game_id, recount);
}

/**
 * Replaces all fields of a statistic that exists.
 * @throws ApiError 409 when the aggregation would change while players have values, or when they have values and
 * events would move them from now on; 400 when the fields contradict each other.
 */
export async function changeStat(
  tx: Queryable,
  game_id: string,
  key: string,
  stat: StatFields,
  recount: Recount,
): Promise<void> {
  requireSound(stat);
  const before = (await findStat(tx, game_id, key))!;
  const joins_otherwise = before.aggregation !== stat.aggregation;
  const gets_source = before.source === null && stat.source !== null;
  if ((joins_otherwise || gets_source) && (await lockAndFindValues(tx, game_id, key))) {
    const what = joins_otherwise
      ? `aggregation cannot change from ${before.aggregation} to ${stat.aggregation}`
      : 'source cannot be set';
    throw conflict(`${what}, because players have values of this statistic: make another one`);
  }
  const is_new_source =
    isMovedByEvents(stat) &&
    (!isMovedByEvents(before) || JSON.stringify(before.source) !== JSON.stringify(stat.source));
  await updateStat(tx, game_id, key, stat, !is_new_source);
  if (is_new_source) await countFromEvents(tx, game_id, recount);
}

const isMovedByEvents = ({ source, archived }: Pick<StatFields, 'source' | 'archived'>) =>
  source !== null && !archived;

async function countFromEvents(tx: Queryable, game_id: string, recount: Recount): Promise<void> {
  if ((await countSourced(tx, game_id)) > MAX_SOURCED_STATS) {
    throw badRequest(`source: events can move at most ${MAX_SOURCED_STATS} statistics of a game`);
  }
  await recount(tx, game_id);
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
  await updateStat(tx, game_id, key, { ...stat, archived: true }, true);
  return false;
}

/** Gives the source its one full form. */
export const completeSource = <Fields extends object>({
  source,
  ...fields
}: Fields & { source: SentSource | null }) => ({
  ...fields,
  source: source && readSource(source),
});

const readSource = ({ event_name, conditions = [], property = null }: SentSource): StatSource => ({
  event_name,
  conditions: conditions.map(({ property: of, operator, value }) =>
    value === undefined ? { property: of, operator } : { property: of, operator, value },
  ),
  property,
});

/** @throws ApiError 400 for fields that contradict each other, or a number with too many decimals. */
export function requireSound(stat: StatFields): void {
  if (stat.source !== null) requireSoundSource(stat, stat.source);
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

function requireSoundSource(stat: StatFields, { conditions, property }: StatSource): void {
  for (const name of ['minimum', 'maximum', 'max_change'] as const) {
    if (stat[name] !== null) throw badRequest(`${name} must be null with a source`);
  }
  if (stat.writes_from !== 'anyone') throw badRequest('writes_from must be anyone with a source');
  if (property === null && stat.aggregation !== 'sum') {
    throw badRequest('source.property is required, unless the aggregation is sum');
  }
  requireFittingValues(conditions, 'source.conditions');
}

export const endangeredStat = (key: string): EndangeredThing => ({
  thing: { kind: 'stat', key },
  named: `The statistic "${key}"`,
  advice: 'take it out of them first, or archive it',
});

const keyTaken = () => conflict('A statistic with this key exists already');

export const statNotFound = () => notFound('Statistic not found');
