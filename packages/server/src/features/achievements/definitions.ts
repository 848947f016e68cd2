import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { DefinitionCache } from '../../platform/definition-cache.ts';
import { changeDefinitions } from '../../platform/game-change.ts';
import { requireUnused } from '../../platform/definition-uses.ts';
import type { EndangeredThing, ListUses } from '../../platform/definition-uses.ts';
import { conflict, notFound } from '../../platform/errors.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { requireShortTranslations } from '../../platform/translations.ts';
import type { Catalogue } from './catalogue.ts';
import {
  deleteUnlessUnlocked,
  findAchievement,
  insertAchievement,
  listKeys,
  updateAchievement,
  updatePositions,
} from './definition-store.ts';
import type { AchievementChanges } from './definition-store.ts';
import { requireSoundRule } from './rules/check-rule.ts';
import type { ListAggregations } from './rules/check-rule.ts';

interface NewAchievement extends Omit<AchievementChanges, 'archived'> {
  key: string;
  name: string;
  position?: number;
}

/**
 * Changes a game's achievements one change at a time. Each change
 * is written to the audit log, and clients see it at once.
 */
export function createDefinitions(
  catalogues: DefinitionCache<Catalogue>,
  listAggregations: ListAggregations,
  listUses: ListUses,
) {
  return {
    create: (database: Database, game_id: string, achievement: NewAchievement, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const { key, position } = achievement;
        requireShortTranslations(achievement.translations);
        const keys = await listKeys(tx, game_id);
        if (keys.includes(key)) throw conflict('An achievement with this key exists already');
        await requireRoom(tx, game_id, 'achievements', keys.length);
        await requireSoundRule(tx, game_id, achievement.unlock_when, listAggregations);
        const fields = fieldsOf(achievement);
        await insertAchievement(tx, game_id, key, keys.length + 1, fields);
        if (position !== undefined) await move(tx, game_id, key, position);
        await record('create_achievement', key, { ...fields, position });
        return (await findAchievement(tx, game_id, key))!;
      }),

    update: (
      database: Database,
      game_id: string,
      key: string,
      changes: AchievementChanges & { position?: number },
      actor: Actor,
    ) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const { name, description, translations, icon_url, points, unlock_when } = changes;
        const { hidden, writes_from, archived, position } = changes;
        requireShortTranslations(translations);
        await requireSoundRule(tx, game_id, unlock_when, listAggregations);
        const fields = {
          name,
          description,
          translations,
          icon_url,
          points,
          unlock_when,
          hidden,
          writes_from,
          archived,
        };
        if (!(await updateAchievement(tx, game_id, key, fields))) {
          throw notFound('Achievement not found');
        }
        if (position !== undefined) await move(tx, game_id, key, position);
        await record('update_achievement', key, { ...fields, position });
        return (await findAchievement(tx, game_id, key))!;
      }),

    delete: (database: Database, game_id: string, key: string, actor: Actor) =>
      changeDefinitions(database, catalogues, { game_id, actor }, async (tx, record) => {
        const found = await findAchievement(tx, game_id, key);
        if (found === null) throw notFound('Achievement not found');
        const { name } = found;
        await requireUnused(listUses, tx, game_id, endangeredAchievement(key));
        const deleted = await deleteOrArchive(tx, game_id, key);
        if (deleted) await updatePositions(tx, game_id, await listKeys(tx, game_id));
        await record(deleted ? 'delete_achievement' : 'archive_achievement', key, { name });
        return deleted ? ('deleted' as const) : ('archived' as const);
      }),
  };
}

/**
 * Deletes an achievement, or archives it if players have it. The positions of the others keep a gap.
 * @returns whether it was deleted.
 */
export async function deleteOrArchive(
  tx: Queryable,
  game_id: string,
  key: string,
): Promise<boolean> {
  const deleted = await deleteUnlessUnlocked(tx, game_id, key);
  if (!deleted) await updateAchievement(tx, game_id, key, { archived: true });
  return deleted;
}

export const endangeredAchievement = (key: string): EndangeredThing => ({
  thing: { kind: 'achievement', key },
  named: `The achievement "${key}"`,
  advice: 'take it out of them first, or archive it',
});

/** Fills in the defaults of an achievement. */
const fieldsOf = ({
  name,
  description = '',
  translations = {},
  icon_url = '',
  points = 0,
  unlock_when = [],
  hidden = false,
  writes_from = 'anyone',
}: Omit<NewAchievement, 'key' | 'position'>) => ({
  name,
  description,
  translations,
  icon_url,
  points,
  unlock_when,
  hidden,
  writes_from,
});

/** Moves an achievement to a position, from 1; the others keep their order. */
async function move(tx: Queryable, game_id: string, key: string, position: number): Promise<void> {
  const others = (await listKeys(tx, game_id)).filter((other) => other !== key);
  await updatePositions(tx, game_id, others.toSpliced(position - 1, 0, key));
}
