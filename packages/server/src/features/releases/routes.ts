import { compareReleases } from '@overworld/contract/analytics/release-comparison';
import * as contract from '@overworld/contract/analytics/releases';
import { isVisible } from '@overworld/contract/names';
import { badRequest, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { readPage } from '../../platform/http/page.ts';
import { listReleaseEntries } from './calendar.ts';
import { readComparison } from './read-comparison.ts';
import type { ComparisonServices } from './read-comparison.ts';
import * as store from './store.ts';

/** Mounts the list of releases, and the comparison of two. */
export function mountReleases(api: Api, services: ComparisonServices): void {
  api.calendar.add('release', listReleaseEntries);
  implement(api, contract.listReleases, async ({ params, query, read }) => {
    const tenant = { game_id: params.game_id, environment: query.environment };
    const { page, ...rest } = await read((of_game) =>
      readPage(of_game, query, (from, range) =>
        store.listReleases(from, tenant, range, query.with_all ?? false),
      ),
    );
    return { releases: page, ...rest };
  });

  implement(api, compareReleases, ({ params, query, owner, signal, database: of_game }) =>
    readComparison(of_game, { game_id: params.game_id, environment: query.environment }, query, {
      services,
      asker: { owner, signal },
    }),
  );

  implement(api, contract.updateRelease, ({ params, body, actor, database }) => {
    if (typeof body.note === 'string' && !isVisible(body.note)) {
      throw badRequest('note must not be empty');
    }
    return changeGame(database, { game_id: params.game_id, actor }, async (tx, record) => {
      const before = await store.findRelease(tx, params);
      if (before === null) throw releaseNotFound();
      const { environment, ...release } = before;
      const { name = before.name, note = before.note, is_hidden = before.is_hidden } = body;
      const changes = { name, note, is_hidden };
      if (!(await store.updateRelease(tx, params, changes))) throw releaseNotFound();
      await record('update_release', release.version, { environment, ...changes });
      return { ...release, ...changes };
    });
  });
}

const releaseNotFound = () => notFound('Release not found');
