import {
  createAchievementGrant,
  listAchievementGrants,
  undoAchievementGrant,
} from '@overworld/contract/achievements/grants';
import { GRANT_UNDO_DAYS } from '@overworld/contract/achievements/rule-limits';
import { forEachGroup, roundInterval } from '../../../platform/database/each-group.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { changeGame } from '../../../platform/game-change.ts';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import type { Queryable } from '../../../platform/database/database.ts';
import { findAchievement } from '../definition-store.ts';
import { createGranter } from './granter.ts';
import {
  beginUndo,
  countEarners,
  deleteOldGrants,
  insertGrant,
  isGranting,
  listGrants,
  lockGrant,
} from './grant-store.ts';

const DAY_MS = 86_400_000;

/** Mounts the grants of achievements to all who have earned them. */
export function mountGrantsToEarners(
  api: Api,
  mayListen: (game_ids: readonly string[]) => Promise<boolean>,
): void {
  const { background, database, opened } = api;
  const granter = opened.add(createGranter({ database, mayListen }));
  background.every(roundInterval(1_000, database), 'granting achievements', () => granter.run());
  background.onOneServer(21_600_000, 'forgetting old grants of achievements', () =>
    forEachGroup(database.groups, deleteOldGrants),
  );

  implement(api, listAchievementGrants, async ({ params, query, database: of_game }) => ({
    grants: await listGrants(of_game, { ...params, ...query }),
    next_cursor: null,
  }));

  implement(api, createAchievementGrant, async (call) => {
    const { params, query, body, actor, read } = call;
    const tenant = { ...params, environment: query.environment };
    const { achievement_key } = body;
    const { unlock_when: rule } = await requireRule(call.database, params.game_id, achievement_key);
    const earning = { ...tenant, achievement_key, rule };
    const player_count = await read((from) => countEarners(from, earning));
    return changeGame(call.database, { ...params, actor }, async (tx, record) => {
      const now = await requireRule(tx, params.game_id, achievement_key);
      if (await isGranting(tx, { ...tenant, achievement_key })) {
        throw conflict('A grant of this achievement goes on already');
      }
      const wanted = { ...earning, rule: now.unlock_when };
      const grant = await insertGrant(tx, wanted, player_count);
      await record('grant_achievement_to_earners', achievement_key, {
        environment: tenant.environment,
        unlock_when: wanted.rule,
        player_count,
      });
      return grant;
    });
  });

  implement(api, undoAchievementGrant, ({ params, actor, database: of_game }) => {
    const { game_id, grant_id } = params;
    return changeGame(of_game, { game_id, actor }, async (tx, record) => {
      const grant = await lockGrant(tx, { game_id, grant_id });
      if (grant === null) throw notFound('Grant not found');
      const { state, ended_at, achievement_key, environment, granted_count } = grant;
      if (state === 'undoing' || state === 'undone') {
        throw conflict('This grant is undone already');
      }
      if (ended_at !== null && Date.parse(ended_at) < Date.now() - GRANT_UNDO_DAYS * DAY_MS) {
        throw conflict('This grant is too old to be undone');
      }
      await record('undo_achievement_grant', achievement_key, { environment, granted_count });
      return beginUndo(tx, { game_id, grant_id });
    });
  });
}

/** @throws ApiError 404 for an unknown achievement, 409 for one that has no rule or is archived. */
async function requireRule(database: Queryable, game_id: string, key: string) {
  const found = await findAchievement(database, game_id, key);
  if (found === null) throw notFound('Achievement not found');
  if (found.archived) throw conflict('The achievement is archived: restore it first');
  if (found.unlock_when.length === 0) {
    throw conflict('The achievement has no rule: set unlock_when first');
  }
  return found;
}
