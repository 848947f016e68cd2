import type { Entry } from '../store.ts';
import type { Submitted } from '../submits/submitted.ts';

/** Writes the members of an entry in an answer as JSON, without its rank and without braces. */
export function writeEntryMembers(entry: Omit<Entry, 'entry_number' | 'seq'>): string {
  const { player_id, player_name, score, metadata, updated_at } = entry;
  return (
    `"player_id":${JSON.stringify(player_id)},` +
    `"player_name":${player_name === null ? 'null' : JSON.stringify(player_name)},` +
    `"score":${score},"metadata":${metadata ?? 'null'},"updated_at":"${updated_at}"`
  );
}

/** Writes the answer to a submit as JSON. */
export function writeSubmitted(board_name: string, submitted: Submitted): string {
  const { entry, rank, updated, total_entries } = submitted;
  return `{"board_name":${JSON.stringify(board_name)},"rank":${rank},${writeEntryMembers(entry)},"updated":${updated},"total_entries":${total_entries}}`;
}
