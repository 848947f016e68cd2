import * as contract from '@overworld/contract/access-tokens/access-tokens';
import * as ofGame from '@overworld/contract/access-tokens/of-game';
import type { TokenRole } from '@overworld/contract/operation';
import { hasRole } from '../../platform/auth/accounts.ts';
import type { AccountCaller, PersonCaller } from '../../platform/auth/accounts.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Client } from '../../platform/http/client.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { createAccessToken, revokeAccessToken, revokeForGame } from './access-tokens.ts';
import { defineTokenMails } from './mails.ts';
import { deleteUselessTokens, listAccessTokens, listTokensOfGame } from './store.ts';

/**
 * @param confirmOwner Throws 400 when neither the password nor a confirmation in its place is right, and 403
 * after too many failures.
 */
export function mountAccessTokens(
  api: Api,
  confirmOwner: (
    caller: PersonCaller,
    given: { password?: string; confirmation?: string },
    client: Client,
  ) => Promise<void>,
): void {
  const { database, background } = api;
  background.onOneServer(600_000, 'deleting old access tokens', () =>
    deleteUselessTokens(database),
  );
  defineTokenMails(api);

  implement(api, contract.listAccessTokens, async ({ caller, query }) => {
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listAccessTokens(from, caller.account_id, range),
    );
    return { access_tokens: page, ...rest };
  });

  implement(api, contract.createAccessToken, async ({ caller, body, actor, client }) => {
    const { password, confirmation, ...settings } = body;
    await confirmOwner(caller, { password, confirmation }, client);
    const { account_id, session_id } = caller;
    return createAccessToken(database, { account_id, session_id, actor }, settings);
  });

  implement(api, contract.revokeAccessToken, ({ caller, params, actor }) =>
    revokeAccessToken(database, { account_id: caller.account_id, actor }, params.token_id),
  );

  /** Admins see and revoke the tokens of all members, other members only their own. */
  const accountFor = ({ caller, role }: { caller: AccountCaller; role: TokenRole }) =>
    hasRole(role, 'admin') ? null : caller.account_id;

  implement(api, ofGame.listGameAccessTokens, async (call) => {
    const tokens = { game_id: call.params.game_id, account_id: accountFor(call) };
    const { page, ...rest } = await readPage(database, call.query, (from, range) =>
      listTokensOfGame(from, tokens, range),
    );
    return { access_tokens: page, ...rest };
  });

  implement(api, ofGame.revokeGameAccessToken, (call) => {
    const { params, actor } = call;
    const tokens = { game_id: params.game_id, account_id: accountFor(call), actor };
    return revokeForGame(database, tokens, params.token_id);
  });
}
