const SPECIES = [
  'Luna',
  'Atlas',
  'Cinnabar',
  'Emperor',
  'Burnet',
  'Silver-Y',
  'Garden Tiger',
  'Puss Moth',
  'Sphinx',
  'Ghost',
  'Lappet',
  'Peach Blossom',
];

/** Makes a name for a player who has not chosen one. `random` returns numbers from 0 to 1. */
export const makeName = (random: () => number): string =>
  `${SPECIES[Math.floor(random() * SPECIES.length)]} ${10 + Math.floor(random() * 90)}`;
