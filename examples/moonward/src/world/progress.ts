import { costOf, NO_UPGRADES, UPGRADES } from './upgrades.ts';
import type { UpgradeKey, UpgradeLevels } from './upgrades.ts';

/**
 * The progress of a player, as the cloud save holds it. Two tabs, or a tab and a phone that was offline
 * for a week, may have continued from the same save. `mergeProgress` then keeps the progress of both.
 */
export interface Progress {
  name: { text: string; chosen_at: string };
  /**
   * The amounts that each tab has added; their sums are the amounts of the player. Plain sums cannot be
   * merged: if two saves began at 100 and now hold 110 and 120, the right sum is 130, but 110 and 120 do not
   * show where they began.
   */
  tallies: Record<string, TabTallies>;
  /** Levels only rise. Their cost is not stored, but computed from the levels. */
  upgrades: UpgradeLevels;
  best: BestRun;
  /** The keys of the earned achievements, including those that the server does not know yet. */
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
 * The rules that merge the fields of two saves. Each rule is commutative,
 * associative and idempotent, so the order and number of merges do not matter.
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

/** Merges two progresses without losing anything of either. */
export function mergeProgress(a: Progress, b: Progress): Progress {
  return {
    name: PROGRESS_MERGES.name(a.name, b.name),
    tallies: PROGRESS_MERGES.tallies(a.tallies, b.tallies),
    upgrades: PROGRESS_MERGES.upgrades(a.upgrades, b.upgrades),
    best: PROGRESS_MERGES.best(a.best, b.best),
    achievements: PROGRESS_MERGES.achievements(a.achievements, b.achievements),
  };
}

/** Returns, for each key, the larger of the two numbers. */
function most<T extends { [Key in keyof T]: number }>(a: T, b: T): T {
  const merged = { ...a };
  for (const key of Object.keys(b) as (keyof T)[]) {
    merged[key] = Math.max(a[key], b[key]) as T[keyof T];
  }
  return merged;
}

/** Adds up the amounts of all tabs. */
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
 * Returns the pollen that is left to spend. The amount is below zero when two tabs have spent the
 * same pollen on different things: the player keeps both things, and the next pollen pays the debt.
 */
export const balanceOf = (progress: Progress): number =>
  sumTallies(progress).pollen - costOf(progress.upgrades);

/** Adds a night that was played in this tab. */
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

/** Buys the next level. Returns null at the last level, or with too little pollen. */
export function buyUpgrade(progress: Progress, key: UpgradeKey): Progress | null {
  const level = progress.upgrades[key];
  const cost = UPGRADES.find((upgrade) => upgrade.key === key)?.costs[level];
  if (cost === undefined || cost > balanceOf(progress)) return null;
  return { ...progress, upgrades: { ...progress.upgrades, [key]: level + 1 } };
}
