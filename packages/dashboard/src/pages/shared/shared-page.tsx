import { useEffect } from 'react';
import { useLocation } from 'react-router';
import { Failure } from '../../api/failure.ts';
import { useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { daysInWords } from '../../reports/pinning/card-days.ts';
import { Mark } from '../../ui/contours/mark.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { DayOf } from '../../ui/time/moment.tsx';
import { Loaded, Page, PlaceContext } from '../../ui/page.tsx';
import { CardFrame } from '../dashboards/card-frame.tsx';
import { CardReport } from '../dashboards/card-report.tsx';
import frame from '../../shell/plain-frame.module.css';
import classes from '../dashboards/dashboard.module.css';

const DASHBOARD = 'GET /v1/shared-dashboard';
type SharedCard = Answer<typeof DASHBOARD>['cards'][number];

/** The time between updates, in milliseconds. The server caches its answers for the same time. */
const UPDATE_EVERY_MS = 60_000;

/** The page that a link to a dashboard opens. Its reader needs no account. */
export function Component() {
  const { hash } = useLocation();
  const headers = { 'x-dashboard-link': hash.slice(1) };
  const read = useRead(DASHBOARD, { headers }, { every: UPDATE_EVERY_MS });
  const isRefused =
    read.error instanceof Failure && read.error.status < 500 && read.error.status > 0;
  return (
    <>
      <header className={frame.head}>
        <span className={frame.brand}>
          <Mark size={24} />
          Overworld
        </span>
      </header>
      <main id="content" tabIndex={-1}>
        {isRefused ? (
          <Refused error={read.error as Failure} />
        ) : (
          <Loaded query={read}>
            {({ game_name, name, environment, expires_at, time_zone, cards }) => (
              <PlaceContext value={game_name}>
                <Page
                  title={name}
                  lead={
                    <>
                      {game_name}, {environment}. Days in {time_zone}. This link works until{' '}
                      <DayOf at={expires_at} />.
                    </>
                  }
                >
                  {cards.length === 0 && (
                    <EmptyState title="No charts yet">
                      The studio has not pinned a chart to this dashboard.
                    </EmptyState>
                  )}
                  <ul className={classes.grid}>
                    {cards.map((card) => (
                      <li key={card.id} className={classes.cell} data-width={card.width}>
                        <SharedChart card={card} headers={headers} />
                      </li>
                    ))}
                  </ul>
                </Page>
              </PlaceContext>
            )}
          </Loaded>
        )}
      </main>
    </>
  );
}

function SharedChart(props: { card: SharedCard; headers: { 'x-dashboard-link': string } }) {
  const { card, headers } = props;
  const read = useRead(
    'GET /v1/shared-dashboard/cards/{card_id}',
    { params: { card_id: card.id }, headers },
    { slow: true, every: UPDATE_EVERY_MS },
  );
  return (
    <CardFrame card={card} words={daysInWords(card)}>
      <CardReport card={card} query={read} reportOf={({ report }) => report} />
    </CardFrame>
  );
}

const REASONS: Record<string, string> = {
  LINK_EXPIRED: 'This link has expired',
  LINK_REVOKED: 'This link was revoked',
};

function Refused({ error }: { error: Failure }) {
  const title = REASONS[error.code ?? ''] ?? 'This link does not work';
  useEffect(() => {
    document.title = `${title} · Overworld`;
  }, [title]);
  return (
    <EmptyState title={title} order={1}>
      Ask the person who sent it to you for a new one. A link works only as a whole: check that none
      of it is missing.
    </EmptyState>
  );
}
