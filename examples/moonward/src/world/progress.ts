import { costOf, NO_UPGRADES, UPGRADES } from './upgrades.ts';
import type { UpgradeKey, UpgradeLevels } from './upgrades.ts';

/**
 * What a player has: the cloud save. Two tabs, or a phone that was offline for a week, may both
 * have gone on from the same save: `mergeProgress` then keeps everything of both.
 */
export interface Progress {
  name: { text: string; chosen_at: string };
  /**
   * What each tab has added, by tab; sums are the player's. A plain sum could not be merged: of
   * 100 + 10 here and 100 + 20 there nobody could tell that it makes 130.
   */
  tallies: Record<string, TabTallies>;
  /** Levels only rise. What they have cost is not stored but counted from them. */
  upgrades: UpgradeLevels;
  best: BestRun;
  /** Keys of achievements that were earned, also those that the server does not know of yet. */
  achievements: string[];
}

export interface TabTallies {
  pollen: number;
  nights: number;
  lamps: number;
}

export interface BestRun {
  score: number;
  height: number;
}

export const NO_PROGRESS: Progress = {
  name: { text: '', chosen_at: '' },
  tallies: {},
  upgrades: NO_UPGRADES,
  best: { score: 0, height: 0 },
  achievements: [],
};

type Merges = {
  [Field in keyof Progress]: (a: Progress[Field], b: Progress[Field]) => Progress[Field];
};

/**
 * How each field of two saves becomes one. Each is commutative, associative and idempotent: it does
 * not matter who merges first, or how often.
 */
export const PROGRESS_MERGES: Merges = {
  name: (a, b) => {
    if (a.chosen_at !== b.chosen_at) return a.chosen_at > b.chosen_at ? a : b;
    return a.text >= b.text ? a : b;
  },
  tallies: (a, b) => {
    const merged: Progress['tallies'] = { ...a };
    for (const [tab, tallies] of Object.entries(b)) {
      const other = merged[tab];
      merged[tab] = other ? most(tallies, other) : tallies;
    }
    return merged;
  },
  upgrades: (a, b) => most(a, b),
  best: (a, b) => most(a, b),
  achievements: (a, b) => [...new Set([...a, ...b])].sort(),
};

/** Everything of both. */
export function mergeProgress(a: Progress, b: Progress): Progress {
  return {
    name: PROGRESS_MERGES.name(a.name, b.name),
    tallies: PROGRESS_MERGES.tallies(a.tallies, b.tallies),
    upgrades: PROGRESS_MERGES.upgrades(a.upgrades, b.upgrades),
    best: PROGRESS_MERGES.best(a.best, b.best),
    achievements: PROGRESS_MERGES.achievements(a.achievements, b.achievements),
  };
}

/** The larger of each number. */
function most<T extends { [Key in keyof T]: number }>(a: T, b: T): T {
  const merged = { ...a };
  for (const key of Object.keys(b) as (keyof T)[]) {
    merged[key] = Math.max(a[key], b[key]) as T[keyof T];
  }
  return merged;
}

/** Sum over all tabs. */
export function sumTallies({ tallies }: Progress): TabTallies {
  const sum: TabTallies = { pollen: 0, nights: 0, lamps: 0 };
  for (const one of Object.values(tallies)) {
    sum.pollen += one.pollen;
    sum.nights += one.nights;
    sum.lamps += one.lamps;
  }
  return sum;
}

/**
 * Pollen left to spend. Below zero when two tabs have spent the same pollen on different things:
 * both are kept, and the next pollen pays the debt.
 */
export const balanceOf = (progress: Progress): number =>
  sumTallies(progress).pollen - costOf(progress.upgrades);

/** Adds a night that this tab has played. */
export function addNight(
  progress: Progress,
  tab: string,
  night: { pollen: number; lamps: number; score: number; height: number },
): Progress {
  const before = progress.tallies[tab] ?? { pollen: 0, nights: 0, lamps: 0 };
  const tallies = {
    pollen: before.pollen + night.pollen,
    nights: before.nights + 1,
    lamps: before.lamps + night.lamps,
  };
  return {
    ...progress,
    tallies: { ...progress.tallies, [tab]: tallies },
    best: PROGRESS_MERGES.best(progress.best, { score: night.score, height: night.height }),
  };
}

/** Buys the next level; null where it is the last one or the pollen does not suffice. */
export function buyUpgrade(progress: Progress, key: UpgradeKey): Progress | null {
  const level = progress.upgrades[key];
  const cost = UPGRADES.find((upgrade) => upgrade.key === key)?.costs[level];
  if (cost === undefined || cost > balanceOf(progress)) return null;
  return { ...progress, upgrades: { ...progress.upgrades, [key]: level + 1 } };
}
