import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { inOneGroup } from '../../../platform/database/game-groups.ts';
import type { BoardKey } from '../store.ts';
import { openBoardDatabase, scoreOf } from '../test/board-database.ts';
import type { BoardDatabase } from '../test/board-database.ts';

const BOARDS = 15;
const ENTRIES = 60;
const metadata = JSON.stringify('x'.repeat(8_000));

let boards: BoardDatabase;
before(async () => {
  boards = await openBoardDatabase();
});
after(() => boards.close());

test('a batch of pages reads only as many entries as fit into 4 MB', async () => {
  const first = await boards.makeBoard();
  const keys = Array.from({ length: BOARDS }, (_, n) => ({ ...first, board_name: `board ${n}` }));
  const seeding = boards.makeServer();
  for (const board of keys) {
    const submits = Array.from({ length: ENTRIES }, (_, n) =>
      seeding.scores.submit({ ...scoreOf(board, `p${n}`, n), metadata }),
    );
    await Promise.all(submits);
  }
  await seeding.close();

  const counts: number[] = [];
  const group = boards.database.ofGame(first.game_id);
  const hot = inOneGroup({
    ...group,
    async query(statement) {
      const rows = await group.query<{ player_id?: string | null }>(statement);
      counts.push(rows.filter(({ player_id }) => typeof player_id === 'string').length);
      return rows as never;
    },
  });
  const server = boards.makeServer({ hot });
  const read = async (board: BoardKey, limit: number) => {
    const page = { board, season: null, player_id: null, limit, offset: 0 };
    return JSON.parse(await server.pages.read(page)).entries.length;
  };
  for (const board of keys) assert.equal(await read(board, 1), 1);
  const lengths = await Promise.all(keys.map((board) => read(board, ENTRIES)));
  assert.deepEqual(new Set(lengths), new Set([ENTRIES]));
  const largest = Math.max(...counts);
  assert.ok(largest <= 512, `${largest} entries were read at once`);
  assert.ok(largest > ENTRIES, 'the pages of several boards are read at once');
  await server.close();
});
