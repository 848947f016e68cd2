import type { createDashboardLink } from '@overworld/contract/dashboards/links';
import { MAX_DASHBOARD_LINKS } from '@overworld/contract/dashboards/limits';
import type { BodyOf, SuccessOf } from '@overworld/contract/operation';
import type { Actor } from '../../../platform/audit.ts';
import { makeRandomToken } from '../../../platform/auth/random-token.ts';
import type { Database } from '../../../platform/database/database.ts';
import { conflict, notFound } from '../../../platform/errors.ts';
import { changeGame } from '../../../platform/game-change.ts';
import { getDashboard } from '../dashboards.ts';
import type { DashboardKey } from '../store.ts';
import { countLinks, insertLink, revokeLink } from './link-store.ts';

/**
 * Makes a link that shows a dashboard to everybody who has the link.
 * @throws ApiError 404 when there is no such dashboard, 409 when it has its maximum of links.
 */
export async function makeLink(
  { database, public_url }: { database: Database; public_url: string },
  key: DashboardKey,
  wanted: BodyOf<typeof createDashboardLink>,
  actor: Actor,
): Promise<SuccessOf<typeof createDashboardLink>> {
  const { environment, expires_in_days = 30, note = '' } = wanted;
  const token = makeRandomToken();
  return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    const { name } = await getDashboard(tx, key);
    if ((await countLinks(tx, key)) >= MAX_DASHBOARD_LINKS) {
      throw conflict(`A dashboard may have at most ${MAX_DASHBOARD_LINKS} links: revoke one first`);
    }
    const created_by = actor.account?.email ?? null;
    const fields = { token, environment, note, expires_in_days, created_by };
    const link = await insertLink(tx, key, fields);
    await record('create_dashboard_link', name, {
      link_id: link.id,
      environment,
      note,
      expires_at: link.expires_at,
    });
    // Browsers never send the part after `#`, so no server has the secret in its log.
    return { ...link, link: `${public_url}/shared#${token}` };
  });
}

/** @throws ApiError 404 when the dashboard has no such link that works. */
export async function endLink(
  database: Database,
  key: DashboardKey & { link_id: string },
  actor: Actor,
): Promise<void> {
  await changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
    const { name } = await getDashboard(tx, key);
    const revoked = await revokeLink(tx, key);
    if (revoked === null) throw notFound('Link not found');
    await record('revoke_dashboard_link', name, { link_id: key.link_id, note: revoked.note });
  });
}
