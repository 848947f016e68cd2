import { createHash, randomUUID } from 'node:crypto';
import type { Environment } from '@overworld/contract/common';
import { partitionName } from '../../features/events/event-partitions.ts';
import type { ArchiveLine, TableLine } from '../../features/backups/archive/format.ts';
import { alertLines, annotationLines, releaseLines, webhookLines } from './alert-rows.ts';
import { boardLines } from './board-rows.ts';
import { at, table } from './demo-game.ts';
import type { DemoGame, PlayerTable } from './demo-game.ts';
import { EXPOSURE_TABLE, experimentLines } from './experiment-rows.ts';
import { LOGIN_TABLE, loginProviderLines } from './login-rows.ts';
import { SAVE_TABLES } from './save-rows.ts';
import { dashboardLines } from './dashboard-rows.ts';
import { revenueSettingsLines, savedReportLines } from './saved-report-rows.ts';
import { simulatePlayer } from './simulation.ts';
import type { SimulatedPlayer } from './simulation.ts';
import { ACHIEVEMENTS } from './world.ts';

const month = (time: number) => `${at(time).slice(0, 7)}-01`;

/**
 * Simulates the demo's past, and writes it as the lines of a game's archive. Simulates all players anew
 * for each table, so that the memory use does not grow with the number of players.
 */
export async function* demoGameLines(
  game: DemoGame,
  onPlayer: (done: number) => void,
): AsyncGenerator<ArchiveLine> {
  const { game_id } = game;
  yield table(
    'games',
    'id, name, time_zone, tier, event_validation, player_name_property, created_at',
  );
  const created = game.until - game.days * 86_400_000;
  yield [game_id, game.name, 'Europe/Berlin', 'studio', 'warn', 'name', at(created)];
  yield* definitions(game_id);
  yield* savedReportLines(game_id);
  yield* revenueSettingsLines(game);
  yield* dashboardLines(game_id);
  yield* webhookLines(game);
  yield* alertLines(game);
  yield* annotationLines(game);
  yield* releaseLines(game);
  yield* loginProviderLines(game);
  yield* remoteConfig(game);
  yield* schedule(game);
  yield* experimentLines(game);

  let walked = 0;
  const players = function* () {
    for (let number = 0; number < game.players; number++) {
      yield simulatePlayer(game, number);
      onPlayer((walked += 1));
    }
  };
  for (const part of PLAYER_TABLES) {
    const partitions = part.name === 'events' ? eventPartitions(game) : [];
    const columns = `game_id, environment, player_id, ${part.columns}`;
    yield table(part.name, columns, partitions);
    for (const player of players()) {
      for (const row of part.rows(player, game)) {
        yield [game_id, player.environment, player.player_id, ...row];
      }
    }
  }
  yield* boardLines(game, [...players()]);
  yield* usage(game, players());
}

/** Lists the partitions of events for the months of the simulation. */
function eventPartitions({ until, days }: DemoGame): TableLine['partitions'] {
  const first = new Date(until - (days + 1) * 86_400_000);
  const partitions: TableLine['partitions'] = [];
  for (let offset = 0; ; offset++) {
    const from = new Date(Date.UTC(first.getUTCFullYear(), first.getUTCMonth() + offset));
    if (from.getTime() > until) return partitions;
    partitions.push({ name: partitionName(from.toISOString().slice(0, 7)) });
  }
}

function* definitions(game_id: string): Generator<ArchiveLine> {
  yield table(
    'achievements',
    'game_id, key, name, description, icon_url, points, hidden, position',
  );
  for (const [index, one] of ACHIEVEMENTS.entries()) {
    const { key, name, description, points, hidden } = one;
    yield [game_id, key, name, description, '', `${points}`, `${hidden}`, `${index + 1}`];
  }
  yield table('event_schemas', 'game_id, event_name, schema, updated_at');
  const schema = {
    type: 'object',
    required: ['item', 'price', 'currency'],
    properties: {
      item: { type: 'string', minLength: 1 },
      price: { type: 'number', minimum: 0 },
      currency: { enum: ['EUR', 'USD'] },
    },
  };
  yield [game_id, 'purchase', JSON.stringify(schema), at(Date.now())];
}

/**
 * Makes two versions of a config, of which the second pays newcomers more and shows the banner that an
 * experiment found better, and a change for the coming weekend.
 */
function* remoteConfig({
  game_id,
  until,
  days,
  owner,
  developer,
}: DemoGame): Generator<ArchiveLine> {
  const first = { daily_reward: { value: 100 }, shop: { value: { open: true, banner: '' } } };
  const newcomers = {
    name: 'Newcomers',
    properties: [{ property: 'level', operator: 'lt', value: 5 }],
    value: 150,
  };
  const second = {
    daily_reward: {
      description: 'Coins for the first session of a day',
      value: 100,
      rules: [newcomers, { name: 'Trial', percentage: 12.5, value: 200 }],
    },
    shop: { value: { open: true, banner: 'Harvest sale' } },
  };
  yield table(
    'config_versions',
    `game_id, environment, version, parameters, parameter_count, created_at,
     created_by`,
  );
  for (const environment of ['development', 'production']) {
    for (const [index, parameters] of [first, second].entries()) {
      const time = at(until - (days / (index + 2)) * 86_400_000);
      const version = `${index + 1}`;
      const { email } = index === 0 ? owner : developer;
      yield [game_id, environment, version, JSON.stringify(parameters), '2', time, email];
    }
  }
}

function* schedule({ game_id, developer }: DemoGame): Generator<ArchiveLine> {
  yield table(
    'config_schedules',
    `game_id, environment, id, name, state, starts_at, ends_at, next_at, parameters, keys, author_id,
     author`,
  );
  const saturday = new Date();
  saturday.setUTCDate(saturday.getUTCDate() + 1 + ((12 - saturday.getUTCDay()) % 7));
  saturday.setUTCHours(8, 0, 0, 0);
  const starts_at = at(saturday.getTime());
  const ends_at = at(saturday.getTime() + 2 * 86_400_000);
  const parameters = { shop: { value: { open: true, banner: 'Weekend sale' } } };
  yield [
    game_id,
    'production',
    randomUUID(),
    'Weekend sale',
    'coming',
    starts_at,
    ends_at,
    starts_at,
    JSON.stringify(parameters),
    '{shop}',
    developer.account_id,
    developer.email,
  ];
}

const PLAYER_TABLES: PlayerTable[] = [
  {
    name: 'players',
    columns: 'properties, tags, first_seen_at, last_seen_at',
    *rows({ sessions, properties, tags }) {
      const first = sessions[0]?.events[0];
      const last = sessions.at(-1)?.events.at(-1);
      if (!first || !last) return;
      yield [JSON.stringify(properties), `{${tags.join(',')}}`, at(first.at), at(last.at)];
    },
  },
  {
    name: 'sessions',
    columns: 'session_id, started_at, last_event_at, event_count',
    *rows({ sessions }) {
      for (const { session_id, events } of sessions) {
        yield [session_id, at(events[0]!.at), at(events.at(-1)!.at), `${events.length}`];
      }
    },
  },
  {
    name: 'events',
    columns: `id, received_at, occurred_at, client_timestamp, key_id, event_name, session_id,
       properties`,
    *rows({ sessions, environment, player_id }, { key_ids }) {
      // The ids are like those of the server: unique among
      // the events of a moment, and rising within a session.
      let id = Number.parseInt(createHash('sha1').update(player_id).digest('hex').slice(0, 8), 16);
      for (const { session_id, events } of sessions) {
        for (const event of events) {
          const time = at(event.at);
          id += 1;
          yield [
            `${id}`,
            time,
            time,
            time,
            key_ids[environment],
            event.event_name,
            session_id,
            JSON.stringify(event.properties),
          ];
        }
      }
    },
  },
  {
    name: 'achievement_unlocks',
    columns: 'achievement_key, unlocked_at',
    *rows({ unlocks }) {
      for (const [key, time] of unlocks) yield [key, at(time)];
    },
  },
  ...SAVE_TABLES,
  LOGIN_TABLE,
  EXPOSURE_TABLE,
];

/**
 * How often all players are simulated, for the progress bar: once for each table, once for the boards and
 * once for the usage.
 */
export const PASSES = PLAYER_TABLES.length + 2;

function* usage(game: DemoGame, players: Iterable<SimulatedPlayer>): Generator<ArchiveLine> {
  const counts = new Map<string, Record<Environment, number>>();
  for (const { sessions, environment } of players) {
    for (const event of sessions.flatMap(({ events }) => events)) {
      const name = month(event.at);
      const count = counts.get(name) ?? { production: 0, development: 0 };
      count[environment] += 1;
      counts.set(name, count);
    }
  }
  yield table('event_usage', 'game_id, month, used, last_accepted, quota');
  for (const [name, { production, development }] of counts) {
    yield [game.game_id, name, `${production + development}`, '0', '10000000'];
  }
  yield table('event_key_usage', 'game_id, month, key_id, environment, event_count');
  for (const [name, count] of counts) {
    for (const environment of ['production', 'development'] as const) {
      const key_id = game.key_ids[environment];
      yield [game.game_id, name, key_id, environment, `${count[environment]}`];
    }
  }
}
