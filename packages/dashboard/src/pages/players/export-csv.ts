import { call } from '../../api/client.ts';
import type { Answer, Input } from '../../api/operations.ts';
import { knownProperties } from './known-properties.ts';

const LIST = 'GET /v1/games/{game_id}/players';
type Player = Answer<typeof LIST>['players'][number];

/** Enough for a spreadsheet; what is larger belongs into an export by command. */
const MAX_PLAYERS = 20_000;
const PAGE = 200;

interface ExportedPlayers {
  csv: string;
  count: number;
  /** Whether there are more players than a file takes. */
  isCut: boolean;
}

/**
 * Reads the players of a search, page by page, into the text of a CSV file.
 * @param columns properties to write; null for all that any of the players has.
 */
export async function exportPlayers(
  input: Input<typeof LIST>,
  columns: string[] | null,
  onProgress: (count: number) => void,
): Promise<ExportedPlayers> {
  const players: Player[] = [];
  let cursor: string | undefined;
  do {
    const page = await call(LIST, { ...input, query: { ...input.query, limit: PAGE, cursor } });
    players.push(...page.players);
    cursor = page.next_cursor ?? undefined;
    onProgress(players.length);
  } while (cursor !== undefined && players.length < MAX_PLAYERS);
  return {
    csv: writeCsv(players, columns ?? knownProperties(players)),
    count: players.length,
    isCut: cursor !== undefined,
  };
}

function writeCsv(players: Player[], columns: string[]): string {
  const head = ['player_id', 'tags', ...columns, 'first_seen_at', 'last_seen_at'];
  const rows = players.map((player) => [
    player.player_id,
    JSON.stringify(player.tags),
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
