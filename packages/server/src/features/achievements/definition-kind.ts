import type { DefinitionCache } from '../../platform/definition-cache.ts';
import type {
  Definition,
  DefinitionKind,
  DefinitionsByKey,
} from '../../platform/definitions/definition-kind.ts';
import { requireRoom } from '../../platform/limits/limits.ts';
import {
  insertAchievement,
  listDefinedAchievements,
  listKeys,
  updateAchievement,
  updatePositions,
} from './definition-store.ts';
import type { AchievementChanges } from './definition-store.ts';
import { deleteOrArchive } from './definitions.ts';

type Fields = Required<AchievementChanges>;

const DEFAULTS = {
  description: '',
  icon_url: '',
  points: 0,
  hidden: false,
  writes_from: 'anyone',
  archived: false,
};

/** Achievements as files. */
export const achievementKind = (cache: DefinitionCache<unknown>): DefinitionKind => ({
  name: 'achievement',

  async list(tx, game_id) {
    const listed = await listDefinedAchievements(tx, game_id);
    return new Map(
      listed.map(({ key, name, ...rest }, index) => [key, { name, ...rest, position: index + 1 }]),
    );
  },

  complete: ({ name, ...rest }) => ({ name, ...DEFAULTS, ...rest }),
  settle: settlePositions,
  // An achievement that players have is archived instead of being deleted.
  isGone: ({ archived }) => archived === true,

  async requireRoom({ tx, game_id }, added) {
    const { length } = await listKeys(tx, game_id);
    await requireRoom(tx, game_id, 'achievements', length, added);
  },
  async create({ tx, game_id }, key, definition) {
    const { archived, ...fields } = fieldsOf(definition);
    // `finish` gives all achievements their places.
    await insertAchievement(tx, game_id, key, 0, fields);
    if (archived) await updateAchievement(tx, game_id, key, { archived });
  },
  async update({ tx, game_id }, key, definition) {
    await updateAchievement(tx, game_id, key, fieldsOf(definition));
  },
  async delete({ tx, game_id }, key) {
    await deleteOrArchive(tx, game_id, key);
  },
  async finish({ tx, game_id }, wanted) {
    await updatePositions(tx, game_id, orderAll(await listKeys(tx, game_id), wanted));
  },
  async announce(tx, game_id) {
    await cache.invalidateOnCommit(tx, game_id);
    return () => cache.evict(game_id);
  },
});

const fieldsOf = ({ position: _, ...fields }: Definition): Fields => fields as unknown as Fields;

/**
 * Gives the wanted achievements their places among all, from 1 and without gaps. Those without a place in their
 * file keep the one that they have among the others, and new ones come last.
 */
function settlePositions(wanted: DefinitionsByKey, present: DefinitionsByKey): DefinitionsByKey {
  const placeIn = (definitions: DefinitionsByKey) => (key: string) =>
    (definitions.get(key)?.position as number | undefined) ?? Infinity;
  const all = [...new Set([...wanted.keys(), ...present.keys()])].toSorted();
  const isPlaced = (key: string) => wanted.get(key)?.position !== undefined;
  const placed = all.filter(isPlaced).toSorted(byPlace(placeIn(wanted)));
  const others = all.filter((key) => !isPlaced(key)).toSorted(byPlace(placeIn(present)));
  const places = new Map<string, number>();
  for (let place = 1, [next, other] = [0, 0]; place <= all.length; place++) {
    const key = placed[next];
    const takes_it = key !== undefined && (wanted.get(key)!.position as number) <= place;
    places.set(takes_it || other >= others.length ? placed[next++]! : others[other++]!, place);
  }
  return new Map([...wanted].map(([key, it]) => [key, { ...it, position: places.get(key)! }]));
}

/** Sorts keys by their places. Sorting is stable, so keys of one place keep their order. */
const byPlace = (place: (key: string) => number) => (a: string, b: string) => {
  const [first, second] = [place(a), place(b)];
  return first === second ? 0 : first - second;
};

/** Orders all achievements: the wanted ones by their places, the others around them as they were. */
function orderAll(keys: readonly string[], wanted: DefinitionsByKey): string[] {
  const placed = new Map([...wanted].map(([key, { position }]) => [position as number, key]));
  const others = keys.filter((key) => !wanted.has(key));
  return keys.map((_, index) => placed.get(index + 1) ?? others.shift()!);
}
