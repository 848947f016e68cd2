import type { Database } from '../../platform/database/database.ts';
import { writeJson } from '../../platform/http/write-json.ts';
import type { PlayerDataSource } from '../../platform/players/player-data-source.ts';
import type { ReadInTurn } from '../../platform/queue/dashboard-turns.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import { getPlayer } from './store.ts';

/**
 * Writes all stored data of a player as JSON, in pieces.
 * @param read Waits for a turn before each page, so a slow client does not hold a turn between two pages.
 * @throws ApiError 404 before the first piece when there is no such player.
 */
export async function* writeExport(
  sources: readonly PlayerDataSource[],
  key: PlayerKey,
  read: ReadInTurn,
): AsyncGenerator<string> {
  const player = await read((database) => getPlayer(database, key));
  const { game_id, environment } = key;
  const exported_at = new Date().toISOString();
  yield writeJson({ game_id, environment, exported_at, player }).slice(0, -1);
  for (const source of sources) {
    yield `,${JSON.stringify(source.name)}:`;
    const data = await read((database) => startExport(source, database, key));
    if ('pages' in data) yield* writePages(data.pages, read);
    else yield writeJson(data.whole);
  }
  yield '}';
}

async function startExport(
  { exportPlayer }: PlayerDataSource,
  database: Database,
  key: PlayerKey,
): Promise<{ pages: AsyncGenerator<readonly unknown[]> } | { whole: unknown }> {
  const data = exportPlayer(database, key);
  return Symbol.asyncIterator in data ? { pages: data } : { whole: await data };
}

async function* writePages(
  pages: AsyncGenerator<readonly unknown[]>,
  read: ReadInTurn,
): AsyncGenerator<string> {
  let before = '[';
  for (;;) {
    const { done, value } = await read(() => pages.next());
    if (done === true) break;
    if (value.length === 0) continue;
    yield before + writeJson(value).slice(1, -1);
    before = ',';
  }
  yield before === '[' ? '[]' : ']';
}
