import { getInstallationSizes } from '@overworld/contract/administration/sizes';
import type { Api } from '../../../platform/http/api.ts';
import { implement } from '../../../platform/http/implement.ts';
import { shareReading } from '../../../platform/metrics/shared-reading.ts';
import { measureGames } from './game-sizes.ts';
import { measureTables } from './table-sizes.ts';

/** PostgreSQL looks at each file of each table, so many pages that refresh must not make it do that often. */
const KEPT_MS = 60_000;

export function mountSizes(api: Api): void {
  const { reads } = api;
  const measure = shareReading(async () => {
    const measured_at = new Date().toISOString();
    const { tables, unreachable_nodes } = await measureTables(reads);
    const games = await measureGames(reads, tables, unreachable_nodes.length > 0);
    return { measured_at, tables, games, unreachable_nodes };
  }, KEPT_MS);

  implement(api, getInstallationSizes, ({ read }) => read(measure));
}
