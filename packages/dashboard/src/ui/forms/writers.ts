import type { WritesFrom } from '@overworld/contract/players/verification';

/** The options of a field for the calls that may change something of a player. */
export const WRITERS: { value: WritesFrom; label: string }[] = [
  { value: 'anyone', label: 'Any call of the game' },
  { value: 'verified', label: 'Players who have logged in, and server keys' },
  { value: 'server', label: 'Server keys alone' },
];
