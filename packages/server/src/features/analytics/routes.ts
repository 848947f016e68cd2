import type { Database } from '../../platform/database/database.ts';
import type { Api } from '../../platform/http/api.ts';

/** Mounts the reports that are read from rollups. */
export function mountAnalytics(_api: Api, _services: { database: Database }): void {}
