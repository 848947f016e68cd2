import { randomUUID } from 'node:crypto';
import { MAX_REPORT_DAYS } from '@overworld/contract/analytics/limits';
import { REPORTS } from '@overworld/contract/analytics/reports';
import type { Card, SentCard } from '@overworld/contract/dashboards/cards';
import { DEFAULT_CARD_DAYS } from '@overworld/contract/dashboards/limits';
import { ApiError, badRequest } from '../../platform/errors.ts';
import { checkDay } from '../../platform/reports/date-range.ts';
import type { PinnedReports } from '../../platform/reports/pinned-reports.ts';

type CheckQuery = Pick<PinnedReports, 'check'>;

/**
 * Checks all cards of a dashboard, and fills in the fields that were left out.
 * @param known The cards that the dashboard has now.
 * @throws ApiError 400 naming the card and the field.
 */
export function readCards(
  sent: readonly SentCard[],
  known: readonly Card[],
  reports: CheckQuery,
): Card[] {
  const ids = new Set(known.map(({ id }) => id));
  return sent.map((card, index) => {
    const place = `cards[${index}].`;
    // No two cards may have the same id.
    if (card.id !== undefined && !ids.delete(card.id.toLowerCase())) {
      throw badRequest(`${place}id is not a card of this dashboard, or is given twice`);
    }
    return readCard(card, reports, place);
  });
}

/**
 * @param place The prefix of field names in messages, such as `cards[0].`.
 * @throws ApiError 400 naming the field.
 */
export function readCard(sent: SentCard, reports: CheckQuery, place = ''): Card {
  const { id, title, report, chart, query = '', width = 'half' } = sent;
  const charts: readonly string[] = REPORTS[report].charts;
  if (!charts.includes(chart)) {
    throw badRequest(`${place}chart must be one of ${charts.join(', ')}`);
  }
  inPlace(`${place}query: `, () => reports.check(report, query));
  const days = inPlace(place, () => readDays(sent));
  return { id: id?.toLowerCase() ?? randomUUID(), title, report, chart, query, width, ...days };
}

function readDays({ last_days, from, to }: SentCard): Pick<Card, 'last_days' | 'from' | 'to'> {
  const isFixed = (from ?? to ?? null) !== null;
  if (!isFixed) return { last_days: last_days ?? DEFAULT_CARD_DAYS, from: null, to: null };
  if ((last_days ?? null) !== null) throw badRequest('last_days must not stand beside from and to');
  if (!from || !to) throw badRequest(`${from ? 'to' : 'from'} is required beside the other day`);
  checkDay('from', from);
  checkDay('to', to);
  const count = (Date.parse(to) - Date.parse(from)) / 86_400_000 + 1;
  if (count < 1) throw badRequest('to must not be before from');
  if (count > MAX_REPORT_DAYS) {
    throw badRequest(`from must be at most ${MAX_REPORT_DAYS - 1} days before to`);
  }
  return { last_days: null, from, to };
}

/** Runs a check. If the check throws an error 400, puts the place before the error message. */
function inPlace<T>(place: string, check: () => T): T {
  try {
    return check();
  } catch (error) {
    if (error instanceof ApiError && error.status === 400) {
      throw badRequest(`${place}${error.body.error}`);
    }
    throw error;
  }
}
