import { call } from '../../api/client.ts';
import type { Answer, Input } from '../../api/operations.ts';

const LIST = 'GET /v1/games/{game_id}/players';
type Player = Answer<typeof LIST>['players'][number];

/** Enough for a spreadsheet; what is larger belongs into an export by command. */
export const MAX_EXPORTED_PLAYERS = 20_000;
const PAGE = 200;

/** Reads all players of a search, page by page, into the text of a CSV file. */
export async function exportPlayers(
  input: Input<typeof LIST>,
  columns: string[],
  onProgress: (count: number) => void,
): Promise<string> {
  const players: Player[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(LIST, { ...input, query: { ...input.query, limit: PAGE, cursor } });
    players.push(...page.players);
    cursor = page.next_cursor ?? undefined;
    onProgress(players.length);
  } while (cursor !== undefined && players.length < MAX_EXPORTED_PLAYERS);
  return writeCsv(players, columns);
}

function writeCsv(players: Player[], columns: string[]): string {
  const head = ['player_id', 'tags', ...columns, 'first_seen_at', 'last_seen_at'];
  const rows = players.map((player) => [
    player.player_id,
    player.tags.join(' '),
    ...columns.map((name) => cellText((player.properties as Record<string, unknown>)[name])),
    player.first_seen_at,
    player.last_seen_at,
  ]);
  return [head, ...rows].map((row) => row.map(quote).join(',')).join('\r\n');
}

function cellText(value: unknown): string {
  if (value === undefined) return '';
  return typeof value === 'string' ? value : JSON.stringify(value);
}

/** Quoted as RFC 4180 says; a spreadsheet must not take a player's name for a formula. */
function quote(text: string): string {
  const safe = /^[=+@\t\r]|^-(?!\d)/.test(text) ? `'${text}` : text;
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}
