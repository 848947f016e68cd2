import { listSdkVersions } from '@overworld/contract/games/sdk-versions';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { deleteOldSdkCalls, readSdkVersions } from './store.ts';

export function mountSdkVersions(api: Api): void {
  const { reads, background } = api;

  implement(api, listSdkVersions, ({ params: { game_id }, query, owner, signal, database }) => {
    const tenant = { game_id, environment: query.environment };
    return reads.run(owner, () => readSdkVersions(database, tenant, query.days), signal);
  });

  background.every(3_600_000, 'deleting old counts of SDK versions', () =>
    forEachGroup(api.database.groups, deleteOldSdkCalls),
  );
}
