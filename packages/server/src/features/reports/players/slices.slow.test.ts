import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import fc from 'fast-check';
import { startTestServer } from '../../../../test/harness.ts';
import type { TestServer } from '../../../../test/harness.ts';
import { anyEvent, anyPlayer, makeGame, openReports } from '../test/random-game.ts';
import type { Player } from '../test/random-game.ts';
import { ALL, SLICED_REPORTS, SPLIT_REPORTS } from '../test/sliced-reports.ts';

let server: TestServer;
before(async () => {
  server = await startTestServer();
});
after(() => server.close());

test('reports on some players equal the reports of a game that has only these players', async () => {
  const run = fc.asyncProperty(
    fc.array(anyPlayer, { minLength: 8, maxLength: 8 }),
    fc.array(anyEvent, { minLength: 1, maxLength: 150 }),
    async (given, sent) => {
      const players = given.map((player, index) => ({ ...player, player_id: `p${index}` }));
      const events = sent.map((event) => ({ ...event, id: `p${event.player}` }));
      const ofGame = async (isKept: (player: Player) => boolean) => {
        const kept = players.filter(isKept);
        const ids = new Set(kept.map(({ player_id }) => player_id));
        const game = await makeGame(
          server,
          kept,
          events.filter(({ id }) => ids.has(id)),
        );
        return openReports(server, game);
      };
      const all = await ofGame(() => true);
      const cases: [object, (player: Player) => boolean][] = [
        [ALL, () => true],
        [
          { properties: [{ property: 'country', operator: 'eq', value: 'de' }] },
          ({ country }) => country === 'de',
        ],
        [
          { tags: ['VIP'], properties: [{ property: 'country', operator: 'not_exists' }] },
          ({ country, tag }) => tag === 'vip' && country === null,
        ],
        [{ without_tags: ['vip'] }, ({ tag }) => tag === null],
      ];
      for (const [players_chosen, isKept] of cases) {
        const few = await ofGame(isKept);
        for (const report of SLICED_REPORTS) {
          const sliced = await all.get(report, { players: players_chosen });
          assert.deepEqual(sliced, await few.get(report), report);
        }
      }
      // A group of a report has the same numbers as a report on only the players of that group.
      for (const report of SPLIT_REPORTS) {
        const { groups } = await all.get(report, { split_by: 'property:country', split_limit: 50 });
        for (const { kind, value, ...group } of groups) {
          const isText = typeof value === 'string' && value !== '7';
          const condition =
            kind === 'none'
              ? { property: 'country', operator: 'not_exists' }
              : { property: 'country', operator: 'eq', value: isText ? value : 7 };
          const alone = await all.get(report, { players: { properties: [condition] } });
          for (const [member, numbers] of Object.entries(group)) {
            assert.deepEqual(numbers, alone[member], `${report} ${kind} ${value} ${member}`);
          }
        }
      }
    },
  );
  await fc.assert(run, { numRuns: 3 });
});
