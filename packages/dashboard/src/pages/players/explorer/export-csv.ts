import { writeCsv } from '@overworld/contract/csv';
import type { CsvCell } from '@overworld/contract/csv';
import { call } from '../../../api/client.ts';
import type { Answer, Input } from '../../../api/operations.ts';
import { knownProperties } from '../../../reports/known-properties.ts';

const LIST = 'GET /v1/games/{game_id}/players';
type Player = Answer<typeof LIST>['players'][number];

/** Enough for a spreadsheet. The command line exports more. */
const MAX_PLAYERS = 20_000;
const PAGE = 200;

interface ExportedPlayers {
  csv: string;
  count: number;
  /** The search has more players than the file. */
  isCut: boolean;
}

/**
 * Reads the players of a search, page by page, into the text of a CSV file.
 * @param columns The properties to write, or null for those of all players.
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
    csv: writePlayers(players, columns ?? knownProperties(players)),
    count: players.length,
    isCut: cursor !== undefined,
  };
}

function writePlayers(players: Player[], properties: string[]): string {
  return writeCsv({
    columns: ['player_id', 'tags', ...properties, 'first_seen_at', 'last_seen_at'],
    rows: players.map((player) => [
      player.player_id,
      JSON.stringify(player.tags),
      ...properties.map((name) => toCell((player.properties as Record<string, unknown>)[name])),
      player.first_seen_at,
      player.last_seen_at,
    ]),
  });
}

function toCell(value: unknown): CsvCell {
  if (value === undefined) return null;
  const isPlain = typeof value === 'string' || typeof value === 'number';
  return isPlain ? value : JSON.stringify(value);
}
