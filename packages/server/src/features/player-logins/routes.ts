import * as contract from '@overworld/contract/players/logins';
import type { Database } from '../../platform/database/database.ts';
import { ApiError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import type { LastSeen } from '../../platform/players/last-seen.ts';
import type { PlayerCall } from '../../platform/players/player-call.ts';
import type { PlayerKey } from '../../platform/players/player-key.ts';
import type { PlayerTokens } from '../../platform/players/player-tokens.ts';
import type { WrongSecrets } from './wrong-secrets.ts';
import { mountDashboardRoutes } from './dashboard-routes.ts';
import type { DashboardServices } from './dashboard-routes.ts';
import type { LoggedIn } from './identity.ts';
import { link, unlink } from './links/links.ts';
import type { MoveCodes } from './links/move-codes.ts';
import { logIn } from './logins.ts';
import type { LoginServices } from './logins.ts';
import { proveDevice } from './providers/credentials.ts';
import type { Prover } from './providers/credentials.ts';
import type { Refresher } from './sessions/refresher.ts';

export interface PlayerLoginServices extends LoginServices, DashboardServices {
  hot: Database;
  lastSeen: LastSeen;
  playerTokens: PlayerTokens;
  prover: Prover;
  refresher: Refresher;
  codes: MoveCodes;
  wrongSecrets: WrongSecrets;
}

export function mountPlayerLogins(api: Api, services: PlayerLoginServices): void {
  const { hot, lastSeen, playerTokens, prover, refresher, codes, wrongSecrets } = services;

  const toAnswer = ({ player, session_id, refresh_token, created, providers }: LoggedIn) => {
    lastSeen.note(player);
    const { player_id } = player;
    const token = playerTokens.sign(player, session_id);
    return { player_id, ...token, refresh_token, created, providers };
  };

  implement(api, contract.logInPlayer, async ({ caller, body, ip }) => {
    const { player_id = null, ...credentials } = body;
    const { game_id, environment } = caller;
    const proof = await prover.prove(caller, credentials);
    const login = await wrongSecrets.bound(caller, ip, () =>
      logIn(services, { game_id, environment }, proof, player_id),
    );
    return new Reply(login.created ? 201 : 200, toAnswer(login));
  });

  implement(api, contract.refreshPlayer, async ({ caller, body }) =>
    toAnswer(await refresher.refresh(caller, body.refresh_token)),
  );

  implement(api, contract.logOutPlayer, async ({ caller, body }) => {
    await refresher.end(caller, body.refresh_token);
    return new Reply(204);
  });

  /** @throws ApiError 401 without a player token. */
  const playerOf = ({ caller, player_id }: PlayerCall): PlayerKey => {
    if (player_id === null) throw new ApiError(401, 'Missing x-player-token header');
    return { game_id: caller.game_id, environment: caller.environment, player_id };
  };

  implement(api, contract.linkPlayerLogin, async (call) => {
    const player = playerOf(call);
    const proof = await prover.prove(call.caller, call.body);
    const providers = await wrongSecrets.bound(call.caller, call.ip, () =>
      link(hot, player, proof),
    );
    return { player_id: player.player_id, providers };
  });

  implement(api, contract.unlinkPlayerLogin, async (call) => {
    const player = playerOf(call);
    const providers = await unlink(hot, player, call.query.provider);
    return { player_id: player.player_id, providers };
  });

  implement(api, contract.createMoveCode, (call) => codes.make(playerOf(call)));

  implement(api, contract.movePlayer, async ({ caller, body, ip }) => {
    const { game_id, environment } = caller;
    const tenant = { game_id, environment };
    const proof = proveDevice(body);
    await codes.use(tenant, body.code, proof, ip);
    return toAnswer(await logIn(services, tenant, proof, null));
  });

  mountDashboardRoutes(api, services);
}
