import { randomBytes, randomUUID } from 'node:crypto';
import assert from 'node:assert/strict';
import type { TestGame, TestServer } from '../../../../test/harness.ts';
import type { TestAnswer } from '../../../../test/test-request.ts';
import { sql } from '../../../platform/database/sql.ts';

const makeDevice = () => ({
  provider: 'device',
  device_id: randomUUID(),
  secret: randomBytes(32).toString('base64url'),
});

/** A player who has logged in by a device. */
export interface LoggedInPlayer {
  device: ReturnType<typeof makeDevice>;
  player_id: string;
  player_token: string;
  refresh_token: string;
}

interface AuditEntry {
  target: string;
  account_email: string | null;
  ip: string | null;
  details: Record<string, unknown>;
}

/** Makes a game whose players erase and export themselves with its production key. */
export async function makeOwnDataGame(server: TestServer) {
  const game: TestGame = await server.makeGame();
  const { game_id } = game;
  const { token } = await server.makeAccount({ game_id });
  const send = (
    method: string,
    path: string,
    { player_token = '', body, key = game.production_key }: Sent = {},
  ): Promise<TestAnswer> => {
    const headers: Record<string, string> =
      player_token === '' ? {} : { 'x-player-token': player_token };
    return server.request(method, path, { key, headers, body });
  };
  const pathOf = ({ player_id }: { player_id: string }, more: string) =>
    `/v1/players/${encodeURIComponent(player_id)}${more}`;
  const logIn = async (device = makeDevice()): Promise<LoggedInPlayer> => {
    const { status, body, text } = await send('POST', '/v1/players/login', { body: device });
    assert.ok(status === 200 || status === 201, text);
    return { device, ...body };
  };
  return {
    ...game,
    logIn,
    /** Makes a new player. */
    join: () => logIn(),
    refresh: ({ refresh_token }: LoggedInPlayer) =>
      send('POST', '/v1/players/refresh', { body: { refresh_token } }),
    logOut: ({ refresh_token }: LoggedInPlayer) =>
      send('POST', '/v1/players/logout', { body: { refresh_token } }),
    save: ({ player_token }: LoggedInPlayer) =>
      send('PUT', '/v1/saves', { player_token, body: { data: { level: 1 } } }),
    erase: (player: LoggedInPlayer, key?: string) =>
      send('POST', pathOf(player, '/erase'), { player_token: player.player_token, key }),
    export: (player: LoggedInPlayer, key?: string) =>
      send('GET', pathOf(player, '/export'), { player_token: player.player_token, key }),
    /** Links a new device to the player, and logs in by it. */
    async addDevice({ player_token }: LoggedInPlayer) {
      const device = makeDevice();
      const { status } = await send('POST', '/v1/players/link', { player_token, body: device });
      assert.equal(status, 200);
      return logIn(device);
    },
    /** Logs a new device in by a move code. */
    async moveDevice({ player_token }: LoggedInPlayer): Promise<LoggedInPlayer> {
      const { body: code } = await send('POST', '/v1/players/move-code', { player_token });
      const device = makeDevice();
      const body = { ...device, code: code.code };
      const moved = await send('POST', '/v1/players/move', { body });
      assert.equal(moved.status, 200);
      return { device, ...moved.body };
    },
    async merge(player_id: string, from_player_id: string) {
      const key = await server.makeKey(game_id, 'production', 'server');
      const body = { from_player_id };
      const { status } = await send('POST', pathOf({ player_id }, '/merge'), { key, body });
      assert.equal(status, 200);
    },
    async exists({ player_id }: LoggedInPlayer): Promise<boolean> {
      const found = await server.database.ofGame(game_id).execute(sql`
        SELECT FROM players
        WHERE game_id = ${game_id} AND environment = 'production' AND player_id = ${player_id}`);
      return found > 0;
    },
    /** Makes a webhook that hears of erasures. Nothing listens there, so messages stay in the database. */
    async listen() {
      const body = { url: 'https://127.0.0.1:1/', events: ['player.erased'] };
      const made = await server.request('POST', `/v1/games/${game_id}/webhooks`, { token, body });
      assert.equal(made.status, 201, made.text);
    },
    /** Lists the players in messages about erasures. */
    async listAnnounced(): Promise<string[]> {
      const rows = await server.database.ofGame(game_id).query<{ player_id: string }>(sql`
        SELECT body::jsonb -> 'data' ->> 'player_id' AS player_id FROM webhook_deliveries
        WHERE game_id = ${game_id} AND event_type = 'player.erased' ORDER BY created_at`);
      return rows.map(({ player_id }) => player_id);
    },
    listErasures: () =>
      server.database.ofGame(game_id).query<AuditEntry>(sql`
        SELECT target, account_email, ip, details FROM audit_log
        WHERE game_id = ${game_id} AND action = 'delete_player' ORDER BY at`),
  };
}

interface Sent {
  player_token?: string;
  body?: object;
  key?: string | undefined;
}

export type OwnDataGame = Awaited<ReturnType<typeof makeOwnDataGame>>;
