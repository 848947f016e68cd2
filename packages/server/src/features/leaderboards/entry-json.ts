import type { Submitted } from './score-writer.ts';
import type { Entry } from './store.ts';

/** Members of an entry in an answer, without the braces; `metadata` is JSON text as it is. */
export function writeEntryMembers(rank: number, entry: Entry): string {
  const { player_id, player_name, score, metadata, updated_at } = entry;
  return (
    `"rank":${rank},"player_id":${JSON.stringify(player_id)},` +
    `"player_name":${player_name === null ? 'null' : JSON.stringify(player_name)},` +
    `"score":${score},"metadata":${metadata ?? 'null'},"updated_at":"${updated_at}"`
  );
}

export const writeEntry = (rank: number, entry: Entry): string =>
  `{${writeEntryMembers(rank, entry)}}`;

/** The answer to a submit. */
export function writeSubmitted(board_name: string, submitted: Submitted): string {
  const { entry, rank, updated, total_entries } = submitted;
  return `{"board_name":${JSON.stringify(board_name)},${writeEntryMembers(rank, entry)},"updated":${updated},"total_entries":${total_entries}}`;
}
