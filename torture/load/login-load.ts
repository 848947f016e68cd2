import { randomBytes, randomUUID } from 'node:crypto';
import { sql } from '../../packages/server/src/platform/database/sql.ts';
import type { Random } from '../random.ts';
import type { Answer } from './connection.ts';
import type { Step, Workload } from './workload.ts';

/** A device with its own login, used by only one client. */
interface Device {
  device_id: string;
  secret: string;
  /** Null before its first login is acknowledged. */
  player_id: string | null;
  /** The newest token of a session; null if the outcome of a refresh is unknown. */
  refresh_token: string | null;
  acknowledged: number;
  unknown: number;
}

interface LoggedIn {
  player_id: string;
  refresh_token: string;
  created: boolean;
}

/**
 * The number of logins of a device. A player may have more sessions than this, so no login ends another
 * session.
 */
const LOGINS_OF_A_DEVICE = 10;
const DEVICES_OF_A_CLIENT = 5;

/** Logs players in by devices, and refreshes their tokens. */
export function createLoginLoad(random: Random): Workload {
  const clients = new Map<string, Device>();
  const devices = new Map<string, Device>();

  const choose = (client: number): Device => {
    const place = `${client} ${random.below(DEVICES_OF_A_CLIENT)}`;
    const used = clients.get(place);
    if (used !== undefined && used.acknowledged + used.unknown < LOGINS_OF_A_DEVICE) return used;
    const device: Device = {
      device_id: randomUUID(),
      secret: randomBytes(32).toString('base64url'),
      player_id: null,
      refresh_token: null,
      acknowledged: 0,
      unknown: 0,
    };
    clients.set(place, device);
    devices.set(device.device_id, device);
    return device;
  };

  const noteLogin = (device: Device, answer: Answer | null): string | null => {
    if (answer === null) {
      device.unknown += 1;
      return null;
    }
    const { player_id, refresh_token, created } = JSON.parse(answer.body) as LoggedIn;
    const { player_id: before, unknown, acknowledged } = device;
    Object.assign(device, { player_id, refresh_token, acknowledged: acknowledged + 1 });
    if (before !== null && before !== player_id) return `${before} was logged in as ${player_id}`;
    if (created && before !== null) return `${player_id} was made twice`;
    return created || before !== null || unknown > 0 ? null : `nobody made ${player_id}`;
  };

  const logIn = (device: Device): Step => {
    const { device_id, secret } = device;
    const body = JSON.stringify({ provider: 'device', device_id, secret });
    return {
      request: { method: 'POST', path: '/v1/players/login', body },
      onOutcome: (answer) => noteLogin(device, answer),
    };
  };

  const refresh = (device: Device, refresh_token: string): Step => {
    device.refresh_token = null;
    return {
      request: {
        method: 'POST',
        path: '/v1/players/refresh',
        body: JSON.stringify({ refresh_token }),
      },
      onOutcome(answer) {
        if (answer === null) return null;
        const refreshed = JSON.parse(answer.body) as LoggedIn;
        device.refresh_token = refreshed.refresh_token;
        return refreshed.player_id === device.player_id ? null : `another player: ${answer.body}`;
      },
    };
  };

  return {
    name: 'logins',
    next(client): Step {
      const device = choose(client);
      const { refresh_token } = device;
      return refresh_token !== null && random.below(2) === 0
        ? refresh(device, refresh_token)
        : logIn(device);
    },
    async check({ database, game_id }) {
      const rows = await database.query<{ device: string; player_id: string; sessions: number }>(
        sql`SELECT identity.subject AS device, identity.player_id, count(session_id) AS sessions
            FROM player_identities AS identity
            LEFT JOIN player_login_sessions USING (game_id, environment, player_id)
            WHERE game_id = ${game_id} GROUP BY identity.subject, identity.player_id`,
      );
      const stored = new Map(rows.map((row) => [row.device, row]));
      const problems: string[] = [];
      for (const device of devices.values()) {
        const { device_id, player_id, acknowledged, unknown } = device;
        const row = stored.get(device_id);
        stored.delete(device_id);
        const sessions = row?.sessions ?? 0;
        if (player_id !== null && row?.player_id !== player_id) {
          problems.push(`${device_id} has the player ${row?.player_id}, and not ${player_id}`);
        }
        if (sessions < acknowledged || sessions > acknowledged + unknown) {
          problems.push(
            `${player_id} has ${sessions} sessions, of ${acknowledged} logins and ${unknown} that are unknown`,
          );
        }
        Object.assign(device, {
          player_id: row?.player_id ?? null,
          acknowledged: sessions,
          unknown: 0,
        });
      }
      for (const device_id of stored.keys()) problems.push(`nobody logged in as ${device_id}`);
      return problems;
    },
  };
}
