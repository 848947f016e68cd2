import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { Secret, TOTP } from 'otpauth';
import { makeAuthenticator } from '../../src/features/second-factors/test/authenticator.ts';
import { sql } from '../../src/platform/database/sql.ts';
import { insertWaitingScore } from '../full-game.ts';
import type { FullGame } from '../full-game.ts';
import type { TestServer } from '../harness.ts';
import { insertRestoration, insertStatRestoration } from '../insert-restoration.ts';
import type { TestAccount } from '../test-account.ts';
import { findToken, waitForMail } from '../mailbox.ts';
import { draftExperiment } from './requests.ts';

interface Prepared {
  params?: Record<string, string>;
  body?: Record<string, unknown>;
  /** The account that makes the change, if this is not the game's owner. */
  account?: Pick<TestAccount, 'account_id' | 'token'>;
  headers?: Record<string, string>;
}

export async function findAccountId({ database }: TestServer, email: string): Promise<string> {
  const account = await database.queryOne<{ id: string }>(
    sql`SELECT id FROM accounts WHERE email = ${email}`,
  );
  return account!.id;
}

/** An issuer that gives the ID token that it is told to give. */
interface Issuer {
  sign(claims: Record<string, unknown>): Promise<string>;
  answerWith(id_token: string): void;
}

/**
 * For each operation that needs more than a full game (see `full-game.ts`), the function that prepares the
 * game for it. The key is the id of the operation.
 */
export function preparationsOn(
  server: TestServer,
  issuer: Issuer,
): Record<string, (game: FullGame) => Promise<Prepared>> {
  const mailToken = async (email: string) => findToken(await waitForMail(server.data_dir, email));

  const setStatus = (account_id: string, status: string) =>
    server.database.execute(sql`UPDATE accounts SET status = ${status} WHERE id = ${account_id}`);

  const unverify = (account_id: string) =>
    server.database.execute(
      sql`UPDATE accounts SET email_verified_at = NULL WHERE id = ${account_id}`,
    );

  const invite = async ({ game_id, owner }: FullGame, email: string): Promise<string> => {
    const path = `/v1/games/${game_id}/invitations`;
    const body = { email, role: 'viewer' };
    await server.request('POST', path, { token: owner.token, body });
    return mailToken(email);
  };

  /** Begins a login of a person with this address at the identity provider. */
  const beginLogin = async (email: string): Promise<Prepared> => {
    const begun = await server.request('POST', '/v1/auth/identity/begin', { body: {} });
    const { searchParams } = new URL(begun.body.url);
    const nonce = searchParams.get('nonce');
    const claims = { sub: randomUUID(), nonce, email, email_verified: true };
    issuer.answerWith(await issuer.sign(claims));
    const cookie = String(begun.headers.get('set-cookie')).split(';')[0]!;
    return { body: { code: 'code', state: searchParams.get('state') }, headers: { cookie } };
  };

  const prepareRecall = async ({ owner, params }: FullGame): Promise<Prepared> => {
    const path = `/v1/games/${params.game_id}/messages`;
    const body = { to: { type: 'everyone' }, title: 'To be recalled' };
    const sent = await server.request('POST', path, { token: owner.token, body });
    return { params: { message_id: sent.body.id } };
  };

  return {
    async applyDefinitions({ game_id, owner }) {
      const definition = { name: 'From a file' };
      const definitions = [{ kind: 'achievement', key: 'from a file', definition }];
      const path = `/v1/games/${game_id}/definitions/plan`;
      const { body } = await server.request('POST', path, {
        token: owner.token,
        body: { definitions },
      });
      return { body: { definitions, plan: body.plan } };
    },
    async applyCopy({ game_id, owner }) {
      const path = `/v1/games/${game_id}/definitions/copy/plan`;
      const copy = { from: 'production', to: 'development' };
      const { body } = await server.request('POST', path, { token: owner.token, body: copy });
      return { body: { ...copy, plan: body.plan } };
    },
    finishIdentityLogin: () => beginLogin('identity@studio.example'),
    async linkIdentity() {
      const account = await server.makeAccount();
      const login = await beginLogin(account.email);
      const asked = await server.request('POST', '/v1/auth/identity/finish', login);
      const { challenge } = asked.body;
      return { body: { challenge, password: account.password }, account };
    },
    async grantAchievement({ game_id, params }) {
      await server.database.execute(
        sql`DELETE FROM achievement_unlocks WHERE game_id = ${game_id}`,
      );
      return { params };
    },
    async stopPlayerDeletion({ game_id }) {
      await server.database.execute(sql`
        INSERT INTO player_deletions AS known
          (game_id, environment, conditions, player_count, next_step_at)
        VALUES (${game_id}, 'production', '{}', 1, now() + interval '1 day')
        ON CONFLICT (game_id, environment) DO UPDATE
        SET ended_at = NULL, next_step_at = EXCLUDED.next_step_at`);
      return {};
    },
    async rewardSeason({ owner, params }) {
      const board = `/v1/games/${params.game_id}/leaderboards/${encodeURIComponent(params.board_name!)}`;
      for (const environment of ['production', 'development']) {
        const reset = `${board}/reset?environment=${environment}`;
        await server.request('POST', reset, { token: owner.token });
      }
      return {};
    },
    recallMessage: prepareRecall,
    takeBackMessage: prepareRecall,
    async startSaveRestoration({ params }) {
      const restoration_id = await insertRestoration(server, params, { state: 'ready' });
      return { params: { restoration_id }, body: { played_on: 'skip', save_count: 0 } };
    },
    async pauseSaveRestoration({ params }) {
      const restoration_id = await insertRestoration(server, params, { state: 'running' });
      return { params: { restoration_id } };
    },
    async continueSaveRestoration({ params }) {
      const restoration_id = await insertRestoration(server, params, { state: 'paused' });
      return { params: { restoration_id } };
    },
    async undoSaveRestoration({ params }) {
      const restoration_id = await insertRestoration(server, params, { state: 'done' });
      return { params: { restoration_id } };
    },
    async deleteSaveRestoration({ params }) {
      const restoration_id = await insertRestoration(server, params, { state: 'done' });
      return { params: { restoration_id } };
    },
    async deleteAchievement({ game_id, owner: { token } }) {
      const key = 'an achievement that nothing gives';
      const body = { key, name: 'Walker' };
      const path = `/v1/games/${game_id}/achievements`;
      const created = await server.request('POST', path, { token, body });
      assert.equal(created.status, 201, created.text);
      return { params: { key } };
    },
    async deleteStat({ game_id, owner: { token } }) {
      const stat_key = 'a statistic that nothing uses';
      const body = { key: stat_key, name: 'Steps', aggregation: 'sum' };
      const path = `/v1/games/${game_id}/stats`;
      assert.equal((await server.request('POST', path, { token, body })).status, 201);
      return { params: { stat_key } };
    },
    async createStatRestoration({ params }) {
      const hour = (hours: number) =>
        new Date(Math.floor(Date.now() / 3_600_000 - hours) * 3_600_000).toISOString();
      const body = { stats: [params.stat_key], changed_from: hour(3), changed_until: hour(1) };
      return { body };
    },
    async startStatRestoration({ params }) {
      const restoration_id = await insertStatRestoration(server, params, { state: 'ready' });
      return { params: { restoration_id }, body: { out_of_bounds: 'skip', value_count: 0 } };
    },
    async pauseStatRestoration({ params }) {
      const restoration_id = await insertStatRestoration(server, params, { state: 'running' });
      return { params: { restoration_id } };
    },
    async continueStatRestoration({ params }) {
      const restoration_id = await insertStatRestoration(server, params, { state: 'paused' });
      return { params: { restoration_id } };
    },
    async undoStatRestoration({ params }) {
      const restoration_id = await insertStatRestoration(server, params, { state: 'done' });
      return { params: { restoration_id } };
    },
    async deleteStatRestoration({ params }) {
      const restoration_id = await insertStatRestoration(server, params, { state: 'done' });
      return { params: { restoration_id } };
    },
    async decideScores({ params }) {
      await insertWaitingScore(server, params);
      return { params };
    },
    async takeOffEntry({ production_key: key }) {
      // This change needs a board and a player of its own, because other changes ban the usual player or
      // begin a new season of the usual board.
      const params = { board_name: 'a board of its own', player_id: 'a player who ranks first' };
      await server.request('POST', '/v1/leaderboards', { key, body: { ...params, score: 1 } });
      return { params };
    },
    async mergeGamePlayers({ production_key: key }) {
      const from_player_id = 'a guest';
      const body = { player_id: from_player_id, properties: {} };
      await server.request('POST', '/v1/identify', { key, body });
      return { body: { from_player_id } };
    },
    async editSave({ production_key: key }) {
      // This change needs a player of its own. Other changes run at the same time and restore a save of the
      // usual player, which raises the version of the save.
      const player_id = 'a player whose save is edited';
      await server.request('PUT', '/v1/saves', { key, body: { player_id, data: { gold: 1 } } });
      return { params: { player_id }, body: { version: 1, data: { gold: 2 } } };
    },
    startExperiment: async (game) => ({ params: await draftExperiment(server, game, 'speed') }),
    async stopExperiment(game) {
      const params = await draftExperiment(server, game, 'size');
      const path = `/v1/games/${game.game_id}/experiments/${params.experiment_id}/start`;
      const started = await server.request('POST', path, { token: game.owner.token });
      assert.equal(started.status, 200, started.text);
      return { params };
    },
    changePassword: async ({ owner }) => ({
      body: { current_password: owner.password, new_password: 'another password' },
    }),
    async resetPassword({ owner }) {
      await server.request('POST', '/v1/auth/forgot-password', { body: { email: owner.email } });
      return { body: { token: await mailToken(owner.email), password: 'another password' } };
    },
    async activateAccount() {
      const email = 'pending@studio.example';
      await server.request('POST', '/v1/auth/register', {
        body: { email, password: 'long enough' },
      });
      const account_id = await findAccountId(server, email);
      return { body: { token: await mailToken(email) }, account: { account_id, token: '' } };
    },
    async verifyEmail({ owner }) {
      const { account_id, email, token } = owner;
      await unverify(account_id);
      await server.request('POST', '/v1/auth/send-verification', { token });
      return { body: { token: await mailToken(email) } };
    },
    async verifyUserEmail({ params }) {
      await unverify(params.account_id!);
      return {};
    },
    async acceptInvitation(game) {
      const token = await invite(game, 'newcomer@studio.example');
      return { body: { token, password: 'long enough' }, account: undefined };
    },
    async joinGame(game) {
      const account = await server.makeAccount();
      return { params: { token: await invite(game, account.email) }, account };
    },
    async confirmTotp({ owner }) {
      const body = { password: owner.password };
      const path = '/v1/auth/second-factors/totp';
      const begun = await server.request('POST', path, { token: owner.token, body });
      const { challenge, secret } = begun.body;
      const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
      return { body: { challenge, code } };
    },
    async removeTotp({ owner }) {
      await server.database.execute(sql`
        INSERT INTO totp_factors (account_id, sealed_secret, last_step)
        VALUES (${owner.account_id}, '', 0)`);
      return {};
    },
    async addPasskey({ owner }) {
      const origin = server.url.replace('127.0.0.1', 'localhost');
      const headers = { origin, 'sec-fetch-site': 'same-origin' };
      const body = { password: owner.password };
      const path = '/v1/auth/second-factors/passkeys/options';
      const begun = await server.request('POST', path, { token: owner.token, body, headers });
      const { challenge, options } = begun.body;
      const credential = makeAuthenticator(origin).create(options);
      return { body: { challenge, name: 'Key', credential }, headers };
    },
    async cancelConfigSchedule({ owner, params }) {
      const path = `/v1/games/${params.game_id}/config/schedules`;
      const body = {
        name: 'a',
        starts_at: '2099-05-01T00:00:00Z',
        parameters: { a: { value: 1 } },
      };
      const made = await server.request('POST', path, { token: owner.token, body });
      return { params: { schedule_id: made.body.id } };
    },
    resetSecondFactors: async ({ owner }) => ({ params: { account_id: owner.account_id } }),
    putInstallationSettings: async () => ({ body: { require_second_factor: 'off' } }),
    async activateUser({ params }) {
      await setStatus(params.account_id!, 'pending');
      return {};
    },
    async unlockUser({ params }) {
      await setStatus(params.account_id!, 'locked');
      return {};
    },
  };
}
