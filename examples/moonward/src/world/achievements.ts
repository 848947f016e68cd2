import { sumTallies } from './progress.ts';
import type { Progress } from './progress.ts';
import { heightOf } from './run.ts';
import type { Run } from './run.ts';

/** An achievement of the server's catalogue, and the condition under which it is earned. */
export interface Achievement {
  key: string;
  name: string;
  description: string;
  points: number;
  hidden: boolean;
  isEarned: (run: Run, progress: Progress) => boolean;
}

export const ACHIEVEMENTS: readonly Achievement[] = [
  {
    key: 'first_light',
    name: 'First light',
    description: 'Light a lamp.',
    points: 5,
    hidden: false,
    isEarned: ({ tallies }) => tallies.lamps >= 1,
  },
  {
    key: 'over_the_rooftops',
    name: 'Over the rooftops',
    description: 'Climb 100 metres in one night.',
    points: 10,
    hidden: false,
    isEarned: (run) => heightOf(run) >= 100,
  },
  {
    key: 'cloud_cover',
    name: 'Cloud cover',
    description: 'Climb 300 metres in one night.',
    points: 20,
    hidden: false,
    isEarned: (run) => heightOf(run) >= 300,
  },
  {
    key: 'half_way',
    name: 'Half way to the moon',
    description: 'Climb 600 metres in one night.',
    points: 40,
    hidden: false,
    isEarned: (run) => heightOf(run) >= 600,
  },
  {
    key: 'lamplighter',
    name: 'Lamplighter',
    description: 'Light 10 new lamps in a row.',
    points: 20,
    hidden: false,
    isEarned: ({ tallies }) => tallies.best_chain >= 10,
  },
  {
    key: 'leap_of_faith',
    name: 'Leap of faith',
    description: 'Pass over two lamps in one flight.',
    points: 15,
    hidden: false,
    isEarned: ({ tallies }) => tallies.best_leap >= 2,
  },
  {
    key: 'gold_dust',
    name: 'Gold dust',
    description: 'Gather 100 pollen, over all nights.',
    points: 15,
    hidden: false,
    isEarned: ({ tallies }, progress) => sumTallies(progress).pollen + tallies.pollen >= 100,
  },
  {
    key: 'night_owl',
    name: 'Night owl',
    description: 'Set off into ten nights.',
    points: 10,
    hidden: false,
    isEarned: (_run, progress) => sumTallies(progress).nights + 1 >= 10,
  },
  {
    key: 'moth_to_a_flame',
    name: 'Moth to a flame',
    description: 'Stay with a lamp until it goes out.',
    points: 10,
    hidden: true,
    isEarned: ({ tallies }) => tallies.burn_outs >= 1,
  },
  {
    key: 'change_in_the_air',
    name: 'Change in the air',
    description: 'Be on your way when the weather turns.',
    points: 25,
    hidden: true,
    isEarned: ({ tallies }) => tallies.difficulty_changes >= 1,
  },
];

/** Keys of the achievements that this run has earned for the first time. */
export const findEarned = (run: Run, progress: Progress): string[] =>
  ACHIEVEMENTS.filter(
    ({ key, isEarned }) => !progress.achievements.includes(key) && isEarned(run, progress),
  ).map(({ key }) => key);
