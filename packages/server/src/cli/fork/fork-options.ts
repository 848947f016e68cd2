import { createGame } from '@overworld/contract/games/games';
import { compileBody, isUuid } from '../../platform/http/validation.ts';
import { CommandError } from '../command.ts';
import type { CommandContext } from '../command.ts';

/** @throws CommandError when the text is not the id of a game. */
export function readGameId(text = ''): string {
  if (!isUuid(text)) throw new CommandError(`${text} is not the id of a game.`);
  return text.toLowerCase();
}

const checkGame = compileBody(createGame.body, 'The game');

/**
 * Reads the name of a fork. Without the option, it is the name of the game with `(fork)` behind it.
 * @throws ApiError 400 for a text that cannot be the name of a game.
 */
export function readForkName({ name }: CommandContext['options'], of_game: string): string {
  // Half of a character is left out.
  if (name === undefined) return `${of_game.slice(0, 90).replace(/[\uD800-\uDBFF]$/, '')} (fork)`;
  checkGame({ name });
  return name as string;
}

/** @returns the share of players, above 0 and at most 1; null for no players. */
export function readShare({ players }: CommandContext['options']): number | null {
  if (players === undefined) return null;
  const [, number] = /^(\d{1,3}(?:\.\d{1,6})?)%$/.exec(players as string) ?? [];
  const share = Number(number) / 100;
  if (share > 0 && share <= 1) return share;
  throw new CommandError(
    `--players must be a share of the players above 0% and at most 100%, such as --players=5%, and is ${players as string}.`,
  );
}

/** @returns the seed that chooses the players; a random one without the option. */
export function readSeed({ seed }: CommandContext['options'], random: () => number): number {
  if (seed === undefined) return random();
  if (/^\d{1,9}$/.test(seed as string)) return Number(seed);
  throw new CommandError(
    `--seed must be a whole number of at most 9 digits, and is ${seed as string}.`,
  );
}

/** Reads names that are separated by commas. */
export const readNames = ({ keep }: CommandContext['options']): string[] =>
  keep === undefined ? [] : (keep as string).split(',').filter((name) => name !== '');
