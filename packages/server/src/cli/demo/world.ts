export const GAME_NAMES = [
  'Sky Harbour',
  'Moss & Ember',
  'Nine Lanterns',
  'Tidewright',
  'Ashfall Rally',
];

const COUNTRY_SHARES = {
  US: 24,
  DE: 14,
  BR: 11,
  JP: 9,
  FR: 8,
  GB: 8,
  PL: 6,
  KR: 5,
  TR: 5,
  IN: 5,
  SE: 3,
  NZ: 2,
};
export const COUNTRIES = Object.entries(COUNTRY_SHARES);

export const PLATFORMS = Object.entries({ windows: 46, android: 27, ios: 17, linux: 7, macos: 3 });

/**
 * The releases of the game. `days_left` is the share of the simulated days that follow the release. Release
 * 1.4.0 is a bad one: it crashes, and 1.4.1 mends it.
 */
export const RELEASES = [
  { version: '1.2.0', days_left: 1, crashes: false },
  { version: '1.3.0', days_left: 0.55, crashes: false },
  { version: '1.4.0', days_left: 0.2, crashes: true },
  { version: '1.4.1', days_left: 0.12, crashes: false },
] as const;
export const LIVE_VERSION = '1.4.1';
/** A version that only a few players try. */
export const CANDIDATE_VERSION = '1.5.0';

const FIRST = 'Amber Birch Cinder Dune Echo Fable Gale Hazel Iris Juno'.split(' ');
const LAST = 'Fox Kite Lark Mole Newt Otter Pike Quill Rook Stag'.split(' ');

export const playerName = (number: number): string =>
  `${FIRST[number % 10]}${LAST[Math.floor(number / 10) % 10]}${number % 997}`;

export const ITEMS = [
  ['Lantern Oil', 0.99, 40],
  ['Starter Satchel', 2.99, 25],
  ['Skyward Sails', 4.99, 18],
  ['Ember Cloak', 9.99, 9],
  ['Captain’s Chest', 19.99, 4],
] as const;

/** The currency in which the shop sells in a country. */
export const currencyIn = (country: string): 'EUR' | 'USD' => (country === 'US' ? 'USD' : 'EUR');

interface DemoAchievement {
  key: string;
  name: string;
  description: string;
  points: number;
  /** The level that unlocks the achievement; null if something other than a level unlocks it. */
  level: number | null;
  hidden: boolean;
}

const achievement = (
  key: string,
  name: string,
  description: string,
  points: number,
  level: number | null = null,
  hidden = false,
): DemoAchievement => ({ key, name, description, points, level, hidden });

export const ACHIEVEMENTS: DemoAchievement[] = [
  achievement('first_flight', 'First Flight', 'Finish the first level.', 5, 2),
  achievement('deckhand', 'Deckhand', 'Reach level 5.', 10, 5),
  achievement('navigator', 'Navigator', 'Reach level 10.', 20, 10),
  achievement('stormrider', 'Stormrider', 'Reach level 20.', 40, 20),
  achievement('cartographer', 'Cartographer', 'Reach level 30.', 60, 30),
  achievement('patron', 'Patron of the Harbour', 'Buy something in the shop.', 15),
  achievement('flawless', 'Not a Scratch', 'Finish a level with three stars.', 15),
  achievement('regular', 'Regular', 'Play on seven days.', 25),
  achievement(
    'night_watch',
    'Night Watch',
    'Play between two and four in the morning.',
    30,
    null,
    true,
  ),
  achievement('lighthouse', 'The Lighthouse Answers', 'Reach level 40.', 100, 40, true),
];
