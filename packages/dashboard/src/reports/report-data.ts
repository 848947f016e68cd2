import type { ReportName, REPORTS } from '@overworld/contract/analytics/reports';
import type { Answer } from '../api/operations.ts';

/** The API operation of a report. */
export type RouteOf<R extends ReportName> = (typeof REPORTS)[R]['route'];

/** The API's answer for each report. */
export type ReportData = { [R in ReportName]: Answer<RouteOf<R>> };
