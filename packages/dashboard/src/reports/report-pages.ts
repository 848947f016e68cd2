import type { ReportCell } from '@overworld/contract/analytics/report-cell';
import type { CellReport, ReportName } from '@overworld/contract/analytics/reports';
import { countOf } from '../ui/format.ts';

interface ReportPage {
  /** The path of the page, below the path of the environment. */
  path: string;
  /** The tab of the page that shows the report. */
  tab?: string;
  /** The URL parameter of the page that chooses the chart. */
  chart?: string;
  /** True if the report is not loaded a second time for the period before. */
  isUncompared?: true;
}

/** Describes the players behind a number of a report. `days` are the days of the number in words. */
type DescribeCell = (cell: ReportCell, days: string) => string;

/** The page of each report. */
export const REPORT_PAGES: {
  [R in ReportName]: ReportPage & (R extends CellReport ? { describeCell: DescribeCell } : unknown);
} = {
  'active-players': {
    path: 'active-players',
    chart: 'figure',
    describeCell: ({ players }, days) => `${players === 'new' ? 'New' : 'Active'} ${days}`,
  },
  retention: {
    path: 'retention',
    describeCell: ({ day, returned }, days) =>
      `New ${days}${day === 0 ? '' : `, ${returned ? 'active' : 'not active'} on day ${day}`}`,
  },
  sessions: {
    path: 'sessions',
    chart: 'figure',
    describeCell: ({ length_class }, days) =>
      `With sessions ${length_class === undefined ? '' : 'of this length '}${days}`,
  },
  events: {
    path: 'events',
    tab: 'counts',
    describeCell: ({ event_name, property, value }, days) => {
      const group = `${property} ${value === null ? 'not set' : `= ${value}`}`;
      return `Did ${event_name} ${days}${property === undefined ? '' : `, ${group}`}`;
    },
  },
  'data-quality': { path: 'events', tab: 'quality', chart: 'figure', isUncompared: true },
  funnel: {
    path: 'funnels',
    describeCell: ({ steps, step = 1, outcome }, days) => {
      const verb = outcome === 'stopped' ? 'Stopped after' : 'Took';
      const event_name = steps?.[step - 1]?.event_name ?? '';
      const of = countOf(steps?.length ?? 0, 'step');
      return `${verb} step ${step} (${event_name}) of ${of}, ${days}`;
    },
  },
  breakdown: { path: 'breakdown', chart: 'show' },
  metric: { path: 'metrics' },
  segment: { path: 'segments' },
  revenue: {
    path: 'revenue',
    chart: 'figure',
    isUncompared: true,
    describeCell: ({ currency }, days) =>
      `Paid ${currency === undefined ? '' : `in ${currency} `}${days}`,
  },
  path: {
    path: 'paths',
    isUncompared: true,
    describeCell: ({ event_name, direction, step, place, names }, days) => {
      const isNext = direction !== 'previous';
      const end = isNext ? 'ended here' : 'began here';
      const at = { event: names?.join(', '), other: 'all others', end }[place!];
      return `Step ${step} ${isNext ? 'after' : 'before'} ${event_name}: ${at}, ${days}`;
    },
  },
  'lifetime-value': { path: 'lifetime-value', isUncompared: true },
  progression: {
    path: 'progression',
    chart: 'show',
    isUncompared: true,
    describeCell: ({ property, value, outcome }, days) =>
      `Left at ${property} ${value}${outcome === 'left' ? '' : ', which they had not completed'}, ${days}`,
  },
  results: { path: 'experiments' },
};
