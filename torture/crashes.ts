import { attackByClock } from './crashes/clock.ts';
import { attackByDisk } from './crashes/disk.ts';
import { attackByKills } from './crashes/kills.ts';
import { attackByOutages } from './crashes/outages.ts';
import type { Suite } from './suite.ts';

export const crashes: Suite = {
  name: 'crashes',
  summary: 'kills server and database under load, and looks for every acknowledged write',
  options: {
    kills: { default: 200, meaning: 'SIGKILLs at random moments' },
    seconds: { default: 6, meaning: 'longest load before one' },
    within: { default: 1_500, meaning: 'seconds for all of them' },
    away: { default: 60, meaning: 'seconds without a database' },
    fills: { default: 10, meaning: 'times that the disk is full' },
    jumps: { default: 10, meaning: 'jumps of the clock' },
    seed: { default: 1, meaning: 'of all that is random' },
  },
  async run(options, report) {
    const { kills, seconds, away, fills, jumps } = options;
    const [seed, within_seconds] = [options.seed!, options.within!];
    if (kills! > 0) {
      await attackByKills(report, {
        kills: kills!,
        seconds: seconds!,
        least_writes: 100,
        within_seconds,
        seed,
        workers: Number(process.env.WORKERS ?? 1),
      });
    }
    if (away! > 0) {
      await attackByOutages(report, { away_seconds: away!, back_within_ms: 5_000, seed });
    }
    if (fills! > 0) await attackByDisk(report, { fills: fills!, full_seconds: 4, seed });
    if (jumps! > 0) await attackByClock(report, { jumps: jumps!, seed });
  },
};
