import { listAllSdkVersions } from '@overworld/contract/administration/sdk-versions';
import { listSdkVersions, SDK_DAYS } from '@overworld/contract/games/sdk-versions';
import { forEachGroup } from '../../platform/database/each-group.ts';
import type { Api } from '../../platform/http/api.ts';
import { implement } from '../../platform/http/implement.ts';
import { shareReading } from '../../platform/metrics/shared-reading.ts';
import { readAllSdkVersions } from './all-games.ts';
import { deleteOldSdkCalls, readSdkVersions } from './store.ts';

/** With 10,000 games, all counts of a month take seconds to add up. */
const KEPT_MS = 60_000;

export function mountSdkVersions(api: Api): void {
  implement(api, listSdkVersions, ({ params: { game_id }, query, read }) => {
    const tenant = { game_id, environment: query.environment };
    return read((database) => readSdkVersions(database, tenant, query.days));
  });

  const ofAllGames = Array.from({ length: SDK_DAYS }, (_, before) =>
    shareReading(() => readAllSdkVersions(api.reads, before + 1), KEPT_MS),
  );
  implement(api, listAllSdkVersions, ({ query, read }) => read(ofAllGames[query.days - 1]!));

  api.background.onOneServer(3_600_000, 'deleting old counts of SDK versions', () =>
    forEachGroup(api.database.groups, deleteOldSdkCalls),
  );
}
