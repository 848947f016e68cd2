import assert from 'node:assert/strict';
import { WEEKDAYS } from '@overworld/contract/messages/weekdays';
import { sql } from '../src/platform/database/sql.ts';
import { playIn } from './full-game-player.ts';
import { sendMessages } from './full-game-messages.ts';
import type { TestGame, TestServer } from './harness.ts';
import { insertRestoration, insertStatRestoration } from './insert-restoration.ts';
import type { TestAccount } from './test-account.ts';
import type { RequestOptions } from './test-request.ts';

/** A game that has at least one object of every kind. It is made through the API. */
export interface FullGame extends TestGame {
  owner: TestAccount;
  /** The path parameters with which operations can name the objects of the game. */
  params: Record<string, string>;
  /** A token of the player in production. */
  player_token: string;
  /** A server key of production. */
  server_key: string;
  /** The secret of a link to the dashboard. */
  link_secret: string;
}

interface FullGameOptions {
  /**
   * A word that is in every text of the game other than names. If a test finds this word elsewhere, data of
   * this game has leaked.
   */
  marker: string;
  /** The beginning of every name and id that a game chooses. Several games may have the same prefix. */
  prefix?: string;
  /** The id of the player who has data of every kind. */
  player_id?: string;
}

/** Makes a game that has rows in every table. */
export async function makeFullGame(
  server: TestServer,
  { marker, prefix = 'a', player_id = `${prefix} player` }: FullGameOptions,
): Promise<FullGame> {
  const game = await server.makeGame({ event_validation: 'warn' });
  const { game_id, production_key } = game;
  const owner = await server.makeAccount({ game_id });
  const member = await server.makeAccount({ game_id, role: 'viewer' });
  const device = await server.database.queryOne<{ id: string }>(sql`
    INSERT INTO account_devices (account_id, token_hash)
    VALUES (${owner.account_id}, ${owner.session_id}) RETURNING id`);

  const send = async (method: string, path: string, options: RequestOptions) => {
    const answer = await server.request(method, path, options);
    assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${answer.text}`);
    return answer.body as Record<string, string>;
  };
  const steer = (method: string, path: string, body?: unknown) =>
    send(method, `/v1/games/${game_id}${path}`, { token: owner.token, body });
  const at = encodeURIComponent;
  const params = {
    game_id,
    player_id,
    tag: `${prefix} tag`.toLowerCase(),
    version: '1',
    key: `${prefix} achievement`,
    stat_key: `${prefix} statistic`,
    metric_key: `${prefix} metric`,
    board_name: `${prefix} board`,
    event_name: `${prefix} event`,
    kind: 'breakdown',
    task_name: 'forgetting old invitations',
    name: `${prefix} report`,
    account_id: member.account_id,
    session_id: owner.session_id,
    device_id: device!.id,
    provider: 'google',
    subject: `${prefix} device of the player`,
  };

  await steer('PATCH', '', { name: `${marker} game` });
  await steer('POST', '/achievements', {
    key: params.key,
    name: `${marker} name`,
    description: `${marker} description`,
    icon_url: `https://icons.example/${at(marker)}.png`,
  });
  await steer('POST', '/stats', {
    key: params.stat_key,
    name: `${marker} name`,
    description: `${marker} description`,
  });
  await steer('PATCH', `/achievements/${at(params.key)}`, {
    unlock_when: [{ stat: params.stat_key, at_least: 1e15 }],
  });
  const grant = await server.database.queryOne<{ id: string }>(sql`
    INSERT INTO achievement_grants
      (game_id, environment, achievement_key, unlock_when, state, player_count, ended_at)
    VALUES (${game_id}, 'production', ${params.key}, '[]', 'done', 0, now())
    RETURNING id`);
  await steer('PUT', `/leaderboards/${at(params.board_name)}`, { order: 'descending' });
  await steer('PUT', `/event-schemas/${at(params.event_name)}`, {
    schema: { properties: { [`${marker} property`]: { enum: [`${marker} happening`] } } },
  });
  await steer('PUT', `/saved-reports/breakdown/${at(params.name)}`, {
    query: new URLSearchParams({ event_name: `${marker} event` }).toString(),
  });
  await steer('PUT', `/metrics/${at(params.metric_key)}`, {
    name: `${marker} name`,
    description: `${marker} description`,
    kind: 'count',
    event_name: params.event_name,
  });
  await steer('PUT', '/revenue-settings', {
    event_name: params.event_name,
    amount_property: `${marker} price`,
    currency: 'EUR',
  });
  const annotation = await steer('POST', '/annotations', {
    text: `${marker} annotation`,
    day: '2026-03-01',
  });
  const [release] = await server.database.query<{ id: string }>(sql`
    INSERT INTO releases
      (game_id, environment, version, first_started_at, noticed_at, start_count, name, note)
    SELECT ${game_id}, 'production', version, now(), now(), 20, ${`${marker} release`},
           ${`${marker} release note`}
    FROM unnest(ARRAY['1.0.0', '1.1.0']) AS version
    RETURNING id`);
  await server.database.execute(sql`
    INSERT INTO event_problems
    SELECT game_id, environment, id, 'hash', 'refused', ${params.event_name}, 'properties.level',
           ${`${marker} problem`}, 7, now(), now(), ${`{"event_name":"${marker} sample"}`}, now(),
           ${params.player_id}
    FROM api_keys WHERE game_id = ${game_id} AND environment = 'production'`);
  const dashboard = await steer('POST', '/dashboards', {
    name: `${marker} dashboard`,
    cards: [{ title: `${marker} card`, report: 'sessions', chart: 'count' }],
  });
  const link = await steer('POST', `/dashboards/${dashboard.id}/links`, {
    environment: 'production',
    note: `${marker} note`,
  });
  for (const version of [0, 1]) {
    await steer('PUT', '/config', {
      version,
      parameters: {
        shop: {
          description: `${marker} ${version}`,
          value: { text: `${marker} value` },
          rules: [{ name: `${marker} rule`, has_tags: [params.tag], value: `${marker} special` }],
        },
        speed: { value: 1 },
        size: { value: 1 },
      },
    });
  }
  const { id: experiment_id } = await steer('POST', '/experiments', {
    name: `${marker} experiment`,
    description: `${marker} reason`,
    condition: { has_tags: [`${marker} tag`] },
    share: 50,
    variants: [
      { name: `${marker} control`, weight: 1 },
      { name: `${marker} variant`, weight: 1, values: { shop: `${marker} other value` } },
    ],
    metrics: [{ kind: 'event_share', event_name: `${marker} event`, days: 1 }],
  });
  await steer('POST', `/experiments/${experiment_id}/start`);
  await steer('POST', `/experiments/${experiment_id}/stop`);
  await server.database.execute(sql`
    INSERT INTO experiment_exposures
      (game_id, environment, player_id, experiment_id, variant, exposed_at)
    SELECT ${game_id}, environment, ${player_id}, ${experiment_id}, 1, now()
    FROM unnest(ARRAY['production', 'development']::environment[]) AS environment`);
  const schedule = await steer('POST', '/config/schedules', {
    name: `${marker} schedule`,
    starts_at: '2099-01-01T00:00:00Z',
    ends_at: '2099-01-02T00:00:00Z',
    parameters: { shop: { value: { text: `${marker} value of a day` } } },
  });
  // It sends nothing during a test.
  const weekday = WEEKDAYS[(new Date().getUTCDay() + 2) % 7]!;
  let message_schedule_id = '';
  for (const environment of ['development', 'production']) {
    const made = await steer('POST', `/message-schedules?environment=${environment}`, {
      to: { type: 'everyone' },
      title: `${marker} scheduled title`,
      text: `${marker} scheduled text`,
      reason: `${marker} scheduled reason`,
      hour: 12,
      weekdays: [weekday],
      lasts_hours: 24,
    });
    message_schedule_id = made.id!;
  }
  for (const environment of ['production', 'development']) {
    await steer('PUT', `/login-providers/${params.provider}?environment=${environment}`, {
      issuer: `https://issuer.example/${at(marker)}`,
      audiences: [`${marker} audience`],
    });
  }
  for (const environment of ['production', 'development']) {
    await steer('PATCH', `/shares?environment=${environment}`, {
      network_requests_per_minute: 1_000_000,
    });
  }
  const api_key = await steer('POST', '/api-keys', {
    name: `${marker} key`,
    environment: 'development',
  });
  const access_token = await server.makeAccessToken(
    owner.account_id,
    [game_id],
    'viewer',
    `${marker} token`,
  );
  const passkey = await server.database.queryOne<{ id: string }>(sql`
    INSERT INTO passkeys (account_id, name, rp_id, credential_id, public_key, sign_count, transports)
    VALUES (${owner.account_id}, ${`${marker} passkey`}, 'localhost', ${owner.account_id}, '', 0, '{}')
    RETURNING id`);
  const invitation = await steer('POST', '/invitations', {
    email: `guest-${member.email}`,
    role: 'viewer',
  });
  const webhook = await steer('POST', '/webhooks', {
    url: `https://hooks.studio.example/${at(marker)}`,
    description: `${marker} webhook`,
    events: ['quota.reached', 'player.erased'],
  });
  const alert = await steer('POST', '/alerts', {
    name: `${marker} alert`,
    environment: 'production',
    metric: 'events',
    event_name: `${marker} event`,
    comparison: 'above',
    threshold: 1,
    account_ids: [member.account_id],
    webhook_ids: [webhook.id],
  });
  await server.database.execute(sql`
    INSERT INTO alert_changes (game_id, alert_id, state, period_started_at, value, notified)
    VALUES (${game_id}, ${alert.id}, 'firing', now(), 2, true)`);
  const names = { ...params, prefix, marker };
  await playIn(send, game.development_key, names);
  const login = await playIn(send, production_key, names);
  const message_id = await sendMessages(steer, send, game, names);
  await insertWaitingScore(server, params);
  const decision = await steer(
    'POST',
    `/leaderboards/${at(params.board_name)}/quarantine/decisions`,
    { decision: 'accept' },
  );
  // The next attempt to send this message is a day away, so no attempt changes rows during a test.
  const delivery = await server.database.queryOne<{ id: string }>(sql`
    INSERT INTO webhook_deliveries
      (game_id, webhook_id, event_type, environment, player_id, body, next_attempt_at)
    SELECT ${game_id}, ${webhook.id}, 'achievement.unlocked', environment, ${player_id},
           json_build_object('data', json_build_object('player_id', ${player_id}::text,
                                                       'name', ${`${marker} name`}::text)),
           now() + interval '1 day'
    FROM unnest(ARRAY['production', 'development']::environment[]) AS environment
    RETURNING id`);
  await server.database.execute(sql`
    INSERT INTO announced_quota_steps (game_id, month, percent) VALUES (${game_id}, '2020-01-01', 80)`);
  for (const environment of ['production', 'development']) {
    await server.database.execute(sql`
      INSERT INTO hourly_save_counts (game_id, environment, hour, saves, conflicts)
      VALUES (${game_id}, ${environment}, now() - interval '5 days', 2, 0)`);
  }
  const app_version = `${marker} 1.5.0`;
  await insertRestoration(server, params, {
    state: 'done',
    environment: 'development',
    app_version,
  });
  const restoration_id = await insertRestoration(server, params, { state: 'done', app_version });
  const stat = params.stat_key!;
  const stat_restoration = { state: 'done', stat };
  await insertStatRestoration(server, params, { ...stat_restoration, environment: 'development' });
  await insertStatRestoration(server, params, { ...stat_restoration, restoration_id });
  // These reads wait until the events are processed, and store when the players were last seen.
  for (const environment of ['production', 'development']) {
    await steer('GET', `/players/${at(player_id)}?environment=${environment}`);
  }
  return {
    ...game,
    owner,
    params: {
      ...params,
      key_id: api_key.id!,
      schedule_id: schedule.id!,
      grant_id: grant!.id,
      invitation_id: invitation.id!,
      alert_id: alert.id!,
      webhook_id: webhook.id!,
      delivery_id: delivery!.id,
      message_id,
      message_schedule_id,
      dashboard_id: dashboard.id!,
      annotation_id: annotation.id!,
      link_id: link.id!,
      card_id: (dashboard.cards as unknown as { id: string }[])[0]!.id,
      decision_id: decision.decision_id!,
      passkey_id: passkey!.id,
      release_id: release!.id,
      restoration_id,
      token_id: access_token.token_id,
      experiment_id: experiment_id!,
      refresh_token: login.refresh_token,
      player_token: login.player_token,
      code: login.code,
    },
    player_token: login.player_token,
    server_key: await server.makeKey(game_id, 'production', 'server'),
    link_secret: link.link!.split('#')[1]!,
  };
}

/**
 * Inserts a score that waits for a decision of the studio. The player also has a public score, which is
 * better.
 */
export const insertWaitingScore = (server: TestServer, params: Record<string, string>) =>
  server.database.execute(sql`
    INSERT INTO leaderboard_held_scores
      (game_id, environment, player_id, board_name, season, score, seq, reached_at)
    VALUES (${params.game_id}, 'production', ${params.player_id}, ${params.board_name}, 1, 3, 0,
            now())`);
