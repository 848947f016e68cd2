import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { orderAll, settlePlaces } from '../../platform/definitions/places.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { requireShortTranslations } from '../../platform/translations.ts';
import {
  insertAchievement,
  listDefinedAchievements,
  listKeys,
  updateAchievement,
  updatePositions,
} from './definition-store.ts';
import type { AchievementChanges } from './definition-store.ts';
import { deleteOrArchive, endangeredAchievement } from './definitions.ts';
import { askEarned } from './rules/ask-earned.ts';
import { requireSoundRule } from './rules/check-rule.ts';
import type { ListAggregations } from './rules/check-rule.ts';

type Fields = Required<AchievementChanges>;

const DEFAULTS = {
  description: '',
  translations: {},
  icon_url: '',
  points: 0,
  unlock_when: [],
  hidden: false,
  writes_from: 'anyone',
  archived: false,
};

/** Achievements as files. */
export const achievementKind = (
  cache: DefinitionCache<unknown>,
  listAggregations: ListAggregations,
): DefinitionKind => ({
  name: 'achievement',

  async list(tx, game_id) {
    const listed = await listDefinedAchievements(tx, game_id);
    return new Map(
      listed.map(({ key, name, ...rest }, index) => [key, { name, ...rest, position: index + 1 }]),
    );
  },

  complete: ({ name, ...rest }) => ({ name, ...DEFAULTS, ...rest }),
  settle: settlePlaces,
  // An achievement that players have is archived instead of being deleted.
  isGone: ({ archived }) => archived === true,

  async requireRoom({ tx, game_id }, added) {
    const { length } = await listKeys(tx, game_id);
    await requireRoom(tx, game_id, 'achievements', length, added);
  },
  async create({ tx, game_id }, key, definition) {
    const { archived, ...fields } = fieldsOf(definition);
    requireShortTranslations(fields.translations);
    await requireSoundRule(tx, game_id, fields.unlock_when, listAggregations);
    // `finish` gives all achievements their places.
    await insertAchievement(tx, game_id, key, 0, fields);
    if (archived) await updateAchievement(tx, game_id, key, { archived });
  },
  async update({ tx, game_id }, key, definition) {
    const fields = fieldsOf(definition);
    requireShortTranslations(fields.translations);
    await requireSoundRule(tx, game_id, fields.unlock_when, listAggregations);
    await updateAchievement(tx, game_id, key, fields);
  },
  async delete({ tx, game_id }, key) {
    await deleteOrArchive(tx, game_id, key);
  },
  findUsedThing: (key) => ({ kind: 'achievement', key }),
  listEndangered: (_change, { key, after }) => (after === null ? endangeredAchievement(key) : null),
  askTrial: askEarned,
  async finish({ tx, game_id }, wanted) {
    await updatePositions(tx, game_id, orderAll(await listKeys(tx, game_id), wanted));
  },
  async announce(tx, game_id) {
    await cache.invalidateOnCommit(tx, game_id);
    return () => cache.evict(game_id);
  },
});

const fieldsOf = ({ position: _, ...fields }: Definition): Fields => fields as unknown as Fields;
