import type { IncomingHttpHeaders } from 'node:http';
import * as links from '@overworld/contract/players/links';
import * as contract from '@overworld/contract/players/logins';
import { verifyPlayer } from '@overworld/contract/players/verified-player';
import { ApiError } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement, Reply } from '../../platform/http/implement.ts';
import { requireOwn } from '../../platform/players/own-player.ts';
import type { PlayerCall } from '../../platform/players/player-call.ts';
import { mountDashboardRoutes } from './dashboard-routes.ts';
import { requireNewLogin } from './new-login.ts';
import { createPlayerLogins } from './player-logins.ts';
import { loginStory } from './story.ts';
import type { LoggedIn, PlayerSession } from './identity.ts';
import { link, unlink } from './links/links.ts';
import { logIn, NOBODY } from './logins.ts';
import { proveDevice } from './providers/credentials.ts';
import { loginProviderKind } from './providers/definition-kind.ts';
import { getVerifiedPlayer } from './verified-player.ts';

/** A call with the headers of its request, which may contain a player token. */
interface TokenCall extends PlayerCall {
  readonly headers: IncomingHttpHeaders;
}

/** @returns the player data of logins, and the check of new logins, for other features. */
export function mountPlayerLogins(api: Api) {
  const { opened, storage, lastSeen, playerTokens } = api;
  const { services, source } = opened.add(createPlayerLogins(api));
  const { prover, refresher, codes, wrongSecrets, changes } = services;
  const logins = { storage, logins: services.logins };
  const { announce } = services.providers;
  api.definitions.add(loginProviderKind(announce, services.allow_private_issuers));

  const toAnswer = ({ player, session_id, refresh_token, created, providers }: LoggedIn) => {
    lastSeen.note(player);
    const { player_id } = player;
    const token = playerTokens.sign(player, session_id);
    return { player_id, ...token, refresh_token, created, providers };
  };

  implement(api, contract.logInPlayer, async (call) => {
    const { caller, player_id, body, ip, hot } = call;
    requireOwn(player_id, body.player_id);
    const { player_id: wanted_player_id = null, ...credentials } = body;
    const { game_id, environment, allows_claims, key_kind, key_id } = caller;
    const server_key_id = key_kind === 'server' ? key_id : null;
    const wanted = { wanted_player_id, server_key_id, allows_claims };
    const proof = await prover.prove(caller, credentials);
    const { vouched_player_id } = proof;
    requireOwn(player_id, vouched_player_id ?? undefined);
    if (vouched_player_id !== null && (body.player_id ?? vouched_player_id) !== vouched_player_id) {
      throw new ApiError(403, 'player_id is not the player of the login token');
    }
    const login = await wrongSecrets.bound(caller, proof, ip, () =>
      logIn(
        hot,
        logins,
        { game_id, environment },
        proof,
        wanted,
        server_key_id === null ? ip : undefined,
      ),
    );
    return new Reply(login.created ? 201 : 200, toAnswer(login));
  });

  implement(api, contract.refreshPlayer, async ({ caller, body }) =>
    toAnswer(await refresher.refresh(caller, body.refresh_token)),
  );

  implement(api, contract.logOutPlayer, ({ caller, body, hot }) =>
    refresher.end(hot, caller, body.refresh_token),
  );

  implement(api, verifyPlayer, async ({ caller, body, hot }) => {
    const { player, expires_at } = playerTokens.read(body.player_token, caller);
    return { ...(await getVerifiedPlayer(hot, player)), expires_at };
  });

  /** Finds the session of a call's player token. @throws ApiError 401 if the call has no player token. */
  const sessionOf = ({ caller, player_id, headers }: TokenCall): PlayerSession => {
    if (player_id === null) throw new ApiError(401, 'Missing x-player-token header');
    const session_id = playerTokens.sessionOf(headers['x-player-token'] as string);
    return { game_id: caller.game_id, environment: caller.environment, player_id, session_id };
  };

  implement(api, links.linkPlayerLogin, async (call) => {
    const session = sessionOf(call);
    const proof = await prover.prove(call.caller, call.body);
    requireOwn(session.player_id, proof.vouched_player_id ?? undefined);
    const providers = await wrongSecrets.bound(call.caller, proof, call.ip, () =>
      changes.run(call.owner, () => link(call.hot, session, proof), call.signal),
    );
    return { player_id: session.player_id, providers };
  });

  implement(api, links.unlinkPlayerLogin, async (call) => {
    const session = sessionOf(call);
    const { provider } = call.query;
    const providers = await changes.run(
      call.owner,
      () => unlink(call.hot, session, provider),
      call.signal,
    );
    return { player_id: session.player_id, providers };
  });

  implement(api, links.createMoveCode, (call) => {
    const session = sessionOf(call);
    return changes.run(call.owner, () => codes.make(call.hot, session, call.ip), call.signal);
  });

  implement(api, links.movePlayer, async (call) => {
    const { caller, body, ip, owner, signal, hot } = call;
    const { game_id, environment } = caller;
    const tenant = { game_id, environment };
    const proof = proveDevice(body);
    await changes.run(owner, () => codes.use(hot, tenant, body.code, proof, ip), signal);
    return toAnswer(await logIn(hot, logins, tenant, proof, NOBODY));
  });

  mountDashboardRoutes(api, services);
  return { source, story: loginStory, requireNewLogin };
}
