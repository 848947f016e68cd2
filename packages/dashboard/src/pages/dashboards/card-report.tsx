import type { PinnedReport } from '@overworld/contract/analytics/reports';
import { Failure } from '../../api/failure.ts';
import { Lines, Loaded } from '../../ui/page.tsx';
import type { Readable } from '../../ui/page.tsx';
import { Dimmed } from '../../ui/text.tsx';
import { CardChart } from './card-chart.tsx';

/** The chart of a card, once its report is loaded. */
export function CardReport<T>(props: {
  card: { report: PinnedReport; chart: string; query: string };
  query: Readable<T>;
  /** Returns the answer of the report from the answer of the query. */
  reportOf: (answer: T) => unknown;
}) {
  const { card, query, reportOf } = props;
  const { error } = query;
  if (card.report === 'results' && error instanceof Failure && error.status === 404) {
    return (
      <Dimmed py={48} ta="center">
        No such experiment: it was deleted, or it belongs to the other environment.
      </Dimmed>
    );
  }
  return (
    <Loaded query={query} skeleton={<Lines count={9} />}>
      {(answer) => <CardChart card={card} data={reportOf(answer) as never} />}
    </Loaded>
  );
}
