/** What the demo's games are made of. */

export const GAME_NAMES = [
  'Sky Harbour',
  'Moss & Ember',
  'Nine Lanterns',
  'Tidewright',
  'Ashfall Rally',
];

export const COUNTRIES = [
  ['US', 24],
  ['DE', 14],
  ['BR', 11],
  ['JP', 9],
  ['FR', 8],
  ['GB', 8],
  ['PL', 6],
  ['KR', 5],
  ['TR', 5],
  ['IN', 5],
  ['SE', 3],
  ['NZ', 2],
] as const;

export const PLATFORMS = [
  ['windows', 46],
  ['android', 27],
  ['ios', 17],
  ['linux', 7],
  ['macos', 3],
] as const;

export const VERSIONS = ['1.2.0', '1.3.0', '1.3.1', '1.4.0'];

const FIRST = [
  'Amber',
  'Birch',
  'Cinder',
  'Dune',
  'Echo',
  'Fable',
  'Gale',
  'Hazel',
  'Iris',
  'Juno',
];
const LAST = ['Fox', 'Kite', 'Lark', 'Mole', 'Newt', 'Otter', 'Pike', 'Quill', 'Rook', 'Stag'];

export const playerName = (number: number): string =>
  `${FIRST[number % 10]}${LAST[Math.floor(number / 10) % 10]}${number % 997}`;

export const ITEMS = [
  ['Lantern Oil', 0.99, 40],
  ['Starter Satchel', 2.99, 25],
  ['Skyward Sails', 4.99, 18],
  ['Ember Cloak', 9.99, 9],
  ['Captain’s Chest', 19.99, 4],
] as const;

export interface DemoAchievement {
  key: string;
  name: string;
  description: string;
  points: number;
  hidden: boolean;
  /** Reached at this level, or by the named deed. */
  level?: number;
  deed?: 'purchase' | 'flawless' | 'night' | 'streak';
}

export const ACHIEVEMENTS: DemoAchievement[] = [
  {
    key: 'first_flight',
    name: 'First Flight',
    description: 'Finish the first level.',
    points: 5,
    hidden: false,
    level: 2,
  },
  {
    key: 'deckhand',
    name: 'Deckhand',
    description: 'Reach level 5.',
    points: 10,
    hidden: false,
    level: 5,
  },
  {
    key: 'navigator',
    name: 'Navigator',
    description: 'Reach level 10.',
    points: 20,
    hidden: false,
    level: 10,
  },
  {
    key: 'stormrider',
    name: 'Stormrider',
    description: 'Reach level 20.',
    points: 40,
    hidden: false,
    level: 20,
  },
  {
    key: 'cartographer',
    name: 'Cartographer',
    description: 'Reach level 30.',
    points: 60,
    hidden: false,
    level: 30,
  },
  {
    key: 'patron',
    name: 'Patron of the Harbour',
    description: 'Buy something in the shop.',
    points: 15,
    hidden: false,
    deed: 'purchase',
  },
  {
    key: 'flawless',
    name: 'Not a Scratch',
    description: 'Finish a level with three stars.',
    points: 15,
    hidden: false,
    deed: 'flawless',
  },
  {
    key: 'regular',
    name: 'Regular',
    description: 'Play on seven days.',
    points: 25,
    hidden: false,
    deed: 'streak',
  },
  {
    key: 'night_watch',
    name: 'Night Watch',
    description: 'Play between two and four in the morning.',
    points: 30,
    hidden: true,
    deed: 'night',
  },
  {
    key: 'lighthouse',
    name: 'The Lighthouse Answers',
    description: 'Reach level 40.',
    points: 100,
    hidden: true,
    level: 40,
  },
];
