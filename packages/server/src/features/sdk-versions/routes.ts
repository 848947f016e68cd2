import { listSdkVersions } from '@overworld/contract/games/sdk-versions';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { deleteOldSdkCalls, readSdkVersions } from './store.ts';

export function mountSdkVersions(api: Api): void {
  implement(api, listSdkVersions, ({ params: { game_id }, query, read }) => {
    const tenant = { game_id, environment: query.environment };
    return read((database) => readSdkVersions(database, tenant, query.days));
  });

  api.background.onOneServer(3_600_000, 'deleting old counts of SDK versions', () =>
    forEachGroup(api.database.groups, deleteOldSdkCalls),
  );
}
