import type { Account, AccountStatus } from '@overworld/contract/accounts/account';
import * as contract from '@overworld/contract/administration/accounts';
import * as adminKeys from '@overworld/contract/administration/api-keys';
import { MAX_MAIL_REQUESTS_PER_MINUTE } from '@overworld/contract/accounts/limits';
import type { SuccessOf } from '@overworld/contract/operation';
import type { AdministeredGame } from '@overworld/contract/administration/accounts';
import type { LimitOverrides } from '@overworld/contract/limits';
import { LIMITED_RESOURCES } from '@overworld/contract/tiers';
import * as tasksContract from '@overworld/contract/administration/tasks';
import * as settingsContract from '@overworld/contract/administration/settings';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import type { GroupedDatabase } from '../../platform/database/game-groups.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import type { Api } from '../../platform/http/api.ts';
import type { Client } from '../../platform/http/client.ts';
import { implement } from '../../platform/http/implement.ts';
import { readList, readPage } from '../../platform/http/page.ts';
import { isUuid } from '../../platform/http/validation.ts';
import { createAttemptLimit } from '../../platform/limits/attempt-limit.ts';
import type { createRecentRequests } from '../../platform/metrics/recent-requests.ts';
import type { InboxLag } from '../../platform/metrics/server-metrics.ts';
import { RELEASE } from '../../platform/release.ts';
import { measureDisk } from './disk.ts';
import { listKeysMadeBy, getCounts, listGames, setGameLimits, setGameTier } from './store.ts';
import { getInstallationSettings, putInstallationSettings } from './settings.ts';
import type { ListedGame } from './store.ts';
import { listTasks, runTask } from './tasks.ts';
import { sendTestMail } from './test-mail.ts';

type ChangeAccount<Args extends unknown[] = []> = (
  request: { database: Database; actor: Actor; account_id: string },
  ...args: Args
) => Promise<Account>;

/** The functions of the accounts feature that administrators use. */
interface AccountAdministration {
  makeAccount(
    request: { database: Database; actor: Actor },
    given: { email: string },
    client: Client,
  ): Promise<SuccessOf<typeof contract.createUser>>;
  listAccounts(
    database: Queryable,
    filter: { search?: string; status?: AccountStatus },
    page: { limit: number; after: { email: string } | null },
  ): Promise<Account[]>;
  activateAccount: ChangeAccount;
  lockAccount: ChangeAccount;
  unlockAccount: ChangeAccount;
  verifyAccountEmail: ChangeAccount;
  setMaxFreeGames: ChangeAccount<[max_free_games: number | null]>;
}

/** Counts the events of this UTC calendar month that count against the monthly quotas of games. */
interface EventUsage {
  /** Counts the events of each of these games; games without events are left out. */
  listEventsThisMonth(
    database: GroupedDatabase,
    game_ids: readonly string[],
  ): Promise<ReadonlyMap<string, number>>;
  /** Counts the events of all games. */
  countEventsThisMonth(database: GroupedDatabase): Promise<number>;
}

export function mountAdmin(
  api: Api,
  services: {
    accounts: AccountAdministration;
    usage: EventUsage;
    measureInboxLag: (database: GroupedDatabase) => Promise<InboxLag>;
    /** True if anybody on another machine can make an active account. */
    open_to_strangers: boolean;
    readRecentRequests: ReturnType<typeof createRecentRequests>;
    readBackups: () => Promise<
      Pick<
        SuccessOf<typeof contract.getInstallationStats>,
        'last_backup_at' | 'last_file_backup_at' | 'backups'
      >
    >;
  },
): void {
  const { database, keys, config, background } = api;
  const { accounts, usage, measureInboxLag, open_to_strangers, readRecentRequests, readBackups } =
    services;
  const { rate_limit_ceiling } = config;
  const sends_mail = config.smtp_url !== null;
  const database_folder = config.database_url === null ? config.data_dir : null;
  const mailRequests = createAttemptLimit(database, 'send_mail', MAX_MAIL_REQUESTS_PER_MINUTE);

  const withUsage = async (games: ListedGame[]): Promise<AdministeredGame[]> => {
    const ids = games.map(({ id }) => id);
    const events = await usage.listEventsThisMonth(database, ids);
    return games.map((game) => ({ ...game, events_this_month: events.get(game.id) ?? 0 }));
  };

  implement(api, contract.listUsers, async ({ query }) => {
    const key = { email: 'text' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
      accounts.listAccounts(from, query, { after, limit: count }),
    );
    return { users: page, ...rest };
  });

  implement(api, contract.createUser, ({ body, actor, client }) =>
    accounts.makeAccount({ database, actor }, body, client),
  );

  implement(api, contract.sendTestMail, async ({ caller, client }) => {
    if (!sends_mail) throw conflict('No mail is sent: SMTP_URL is not set');
    await mailRequests.take(client.ip);
    return sendTestMail(api.outbox, caller.email, api.public_url);
  });

  implement(api, contract.activateUser, ({ params, actor }) =>
    accounts.activateAccount({ database, actor, ...params }),
  );

  implement(api, contract.lockUser, ({ params, actor }) =>
    accounts.lockAccount({ database, actor, ...params }),
  );

  implement(api, contract.unlockUser, ({ params, actor }) =>
    accounts.unlockAccount({ database, actor, ...params }),
  );

  implement(api, contract.verifyUserEmail, ({ params, actor }) =>
    accounts.verifyAccountEmail({ database, actor, ...params }),
  );

  implement(api, adminKeys.listKeysMadeBy, async ({ params, query }) => {
    if (!isUuid(params.account_id)) throw notFound('Account not found');
    const { page, ...rest } = await readPage(database, query, (from, range) =>
      listKeysMadeBy(from, params.account_id, range),
    );
    return { api_keys: page, ...rest };
  });

  implement(api, contract.listAllGames, async ({ query }) => {
    const key = { name: 'text', id: 'uuid' } as const;
    const { page, ...rest } = await readList(database, query, key, (from, after, count) =>
      listGames(from, query.search, { after, limit: count }),
    );
    return { games: await withUsage(page), ...rest };
  });

  implement(api, contract.setGameTier, async ({ params, body, actor }) => {
    const game = await setGameTier(database, keys, actor, params.game_id, body.tier);
    const [changed] = await withUsage([game]);
    return changed!;
  });

  implement(api, contract.setGameLimits, async ({ params, body, actor }) => {
    const limits = readOverrides(body);
    if ((limits.key_requests_per_minute ?? 0) > rate_limit_ceiling) {
      throw badRequest(
        `key_requests_per_minute must be at most ${rate_limit_ceiling}: the RATE_LIMIT_CEILING of this installation allows no more`,
      );
    }
    const game = await setGameLimits(database, keys, actor, params.game_id, limits);
    const [changed] = await withUsage([game]);
    return changed!;
  });

  implement(api, contract.setUserLimits, ({ params, body, actor }) =>
    accounts.setMaxFreeGames({ database, actor, ...params }, body.free_games ?? null),
  );

  implement(api, settingsContract.getInstallationSettings, () => getInstallationSettings(database));

  implement(api, settingsContract.putInstallationSettings, ({ caller, body, actor }) =>
    putInstallationSettings(database, caller, body, actor),
  );

  implement(api, tasksContract.listBackgroundTasks, async () => ({
    tasks: await listTasks(database, background.tasks),
    next_cursor: null,
  }));

  implement(api, tasksContract.runBackgroundTask, ({ params, actor }) =>
    runTask(database, background.tasks, actor, params.task_name),
  );

  implement(api, contract.getInstallationStats, async () => {
    const { rows, age_seconds, quarantined_rows } = await measureInboxLag(database);
    return {
      ...(await getCounts(database)),
      events_this_month: await usage.countEventsThisMonth(database),
      inbox_requests: rows,
      inbox_age_seconds: age_seconds,
      quarantined_requests: quarantined_rows,
      ...(await readRecentRequests()),
      ...(await measureDisk(database_folder)),
      ...(await readBackups()),
      sends_mail,
      open_to_strangers,
      version: RELEASE,
      uptime_seconds: Math.floor(process.uptime()),
    };
  });
}

/** Reads the limits that the body names. Unknown members are ignored, as in all other bodies. */
function readOverrides(body: LimitOverrides): LimitOverrides {
  const names = [...LIMITED_RESOURCES, 'key_requests_per_minute'] as const;
  const named = names.filter((name) => body[name] !== undefined);
  return Object.fromEntries(named.map((name) => [name, body[name]]));
}
