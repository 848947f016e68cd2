import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type { Definition, DefinitionKind } from '../../platform/definitions/definition-kind.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import { countStats, listDefinedStats } from './definition-store.ts';
import type { StatFields } from './definition-store.ts';
import {
  changeStat,
  completeSource,
  DEFAULTS,
  deleteOrArchive,
  endangeredStat,
  makeStat,
  requireSound,
} from './definitions.ts';
import type { Recount } from './definitions.ts';

/** Statistics as files. */
export const statKind = (cache: DefinitionCache<unknown>, recount: Recount): DefinitionKind => ({
  name: 'stat',

  async list(tx, game_id) {
    const listed = await listDefinedStats(tx, game_id);
    return new Map(listed.map(({ key, ...rest }) => [key, completeSource(rest)]));
  },

  complete({ name, ...rest }) {
    const stat = completeSource(fieldsOf({ name, ...DEFAULTS, ...rest }));
    requireSound(stat);
    return { ...stat };
  },
  // A statistic of which players have values is archived instead of being deleted.
  isGone: ({ archived }) => archived === true,

  async requireRoom({ tx, game_id }, added) {
    await requireRoom(tx, game_id, 'stats', await countStats(tx, game_id), added);
  },
  create: ({ tx, game_id }, key, definition) =>
    makeStat(tx, game_id, key, fieldsOf(definition), recount),
  update: ({ tx, game_id }, key, definition) =>
    changeStat(tx, game_id, key, fieldsOf(definition), recount),
  async delete({ tx, game_id }, key) {
    await deleteOrArchive(tx, game_id, key);
  },
  findUsedThing: (key) => ({ kind: 'stat', key }),
  listEndangered: (_change, { key, after }) => (after === null ? endangeredStat(key) : null),
  async announce(tx, game_id) {
    await cache.invalidateOnCommit(tx, game_id);
    return () => cache.evict(game_id);
  },
});

const fieldsOf = (definition: Definition): StatFields => definition as unknown as StatFields;
