import type { PinnedReport } from '@overworld/contract/dashboards/charts';
import type { Answer } from '../../api/operations.ts';

/** The API operation of each report that can be pinned to a dashboard. */
export type RouteOf<R extends PinnedReport> = R extends 'results'
  ? 'GET /v1/games/{game_id}/experiments/{experiment_id}/results'
  : `GET /v1/games/{game_id}/analytics/${Exclude<R, 'results'>}`;

/** The API's answer for each report that can be pinned to a dashboard. */
export type ReportData = { [R in PinnedReport]: Answer<RouteOf<R>> };
