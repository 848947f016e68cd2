import type { Card } from '@overworld/contract/dashboards/cards';
import type { PinnedReport } from '@overworld/contract/analytics/reports';
import type { GroupedDatabase } from '../../../platform/database/game-groups.ts';
import { ApiError, notFound } from '../../../platform/errors.ts';
import type { ReadInTurn } from '../../../platform/queue/dashboard-turns.ts';
import type { FairQueue } from '../../../platform/queue/fair-queue.ts';
import type { PinnedReports } from '../../../platform/reports/pinned-reports.ts';
import { findLinked, noteUse } from './link-store.ts';
import type { LinkedDashboard } from './link-store.ts';
import type { KeptAnswers } from './kept-answers.ts';

/**
 * Requests for reports wait in queues, in turn by network, account and game. Here all readers of links count
 * as one network, and each game counts as one account.
 */
const READERS = 'readers of links';
const DAY_MS = 86_400_000;
/**
 * If the answer took longer than this, the report was made anew, and the link is checked once more. A cached
 * report takes less.
 */
const NOTICEABLE_MS = 50;

/** Dashboards and their reports, for readers of links. */
export function createSharedReports(services: {
  database: GroupedDatabase;
  reads: GroupedDatabase;
  readTurns: FairQueue;
  pinned: PinnedReports;
  answers: KeptAnswers;
}) {
  const { database, reads, readTurns, pinned, answers } = services;

  const open = async (token: string | undefined): Promise<LinkedDashboard> => {
    const found = token === undefined ? null : await findLinked(database, token);
    if (found === null) throw notFound('Link not found');
    if (found.is_revoked) throw ended('This link was revoked', 'LINK_REVOKED');
    if (found.is_expired) throw ended('This link has expired', 'LINK_EXPIRED');
    if (found.is_use_due) await noteUse(database, found);
    return found;
  };

  const make = async (linked: LinkedDashboard, { report, query, from, to }: SharedCard) => {
    const { game_id, environment } = linked;
    const request = { game_id, environment, report, query, from, to };
    // Other readers may wait for the same answer, so the server goes on making it when one reader hangs up.
    const { signal } = new AbortController();
    const owner = [READERS, game_id, game_id];
    const read: ReadInTurn = (work) =>
      readTurns.run(owner, () => work(reads.ofGame(game_id)), signal);
    const of_game = database.ofGame(game_id);
    const made = await pinned.make(request, {
      database: of_game,
      read,
      owner,
      signal,
      role: null,
    });
    const shown = SHOWN[report]?.(made) ?? made;
    return JSON.stringify({ made_at: new Date().toISOString(), report: shown });
  };

  return {
    /** @throws ApiError 404 for an unknown link, 410 for a link that has ended. */
    getDashboard: open,

    /**
     * Returns the report of a card as JSON text.
     * @throws ApiError 404 for an unknown link or card, 410 for a link that has ended, 503 when the report
     * has waited too long for its turn.
     */
    async getReport(token: string | undefined, card_id: string): Promise<string> {
      const linked = await open(token);
      const card = linked.cards.find(({ id }) => id === card_id);
      if (card === undefined) throw notFound('Card not found');
      const shared = toSharedCard(card, linked.today);
      const { report, query, from, to } = shared;
      const key = [linked.game_id, linked.environment, report, from, to, query].join(' ');
      const began_ms = performance.now();
      const text = await answers.get(key, () => make(linked, shared));
      // The link may have been revoked while the report was made.
      if (performance.now() - began_ms > NOTICEABLE_MS) await open(token);
      return text;
    },
  };
}

const ended = (error: string, code: string) => new ApiError(410, error, { code });

export interface SharedCard extends Card {
  from: string;
  to: string;
}

/** Returns the card with the days that it shows today. */
export function toSharedCard(card: Card, today: string): SharedCard {
  if (card.last_days === null) return { ...card, from: card.from!, to: card.to! };
  const first = Date.parse(today) - (card.last_days - 1) * DAY_MS;
  return { ...card, from: new Date(first).toISOString().slice(0, 10), to: today };
}

/** Returns the card as readers of links see it, without the id of an API key. */
export function withoutKeys(card: SharedCard): SharedCard {
  const query = new URLSearchParams(card.query);
  query.delete('key_id');
  return { ...card, query: query.toString() };
}

/** For each report that readers of links see only in part: a function that picks that part. */
const SHOWN: { [R in PinnedReport]?: (report: unknown) => unknown } = {
  'data-quality'(report) {
    const { days, schemas: _schemas, ...rest } = report as { days: object[]; schemas: unknown };
    const shown = days.map((day) => ({ ...day, key_id: undefined, key_name: undefined }));
    return { ...rest, days: shown };
  },
};
