import { VERSION_CONFLICT } from '@overworld/contract/answers';
import type { Card, SentCard } from '@overworld/contract/dashboards/cards';
import { MAX_CARDS, MAX_DASHBOARDS } from '@overworld/contract/dashboards/limits';
import type { Dashboard } from '@overworld/contract/dashboards/dashboards';
import { foldText } from '@overworld/contract/fold-text';
import type { Actor } from '../../platform/audit.ts';
import type { Database, Queryable } from '../../platform/database/database.ts';
import { badRequest, conflict, notFound } from '../../platform/errors.ts';
import { changeGame } from '../../platform/game-change.ts';
import type { PinnedReports } from '../../platform/reports/pinned-reports.ts';
import { readCard, readCards } from './cards.ts';
import * as store from './store.ts';
import type { DashboardKey } from './store.ts';

interface DashboardChange {
  version?: number;
  name?: string;
  cards?: SentCard[];
  position?: number;
}

/** @throws ApiError 404 when there is no such dashboard. */
export async function getDashboard(database: Queryable, key: DashboardKey): Promise<Dashboard> {
  const found = await store.findDashboard(database, key);
  if (found === null) throw notFound('Dashboard not found');
  return found;
}

/**
 * Makes the functions that change the dashboards of a game. Only one change
 * of a game runs at a time, and each change is recorded in the audit log.
 */
export function createDashboards(database: Database, reports: PinnedReports) {
  return {
    create: async (game_id: string, wanted: { name: string; cards?: SentCard[] }, actor: Actor) => {
      const { name, cards: sent = [] } = wanted;
      const cards = readCards(sent, [], reports);
      return changeGame(database, { game_id, actor }, async (tx, record) => {
        const others = await store.listDashboards(tx, game_id);
        requireRoom(others.length + 1);
        const position = others.length + 1;
        const fields = { name: readName(name, others), position, cards, ...author(actor) };
        const dashboard_id = await store.insertDashboard(tx, game_id, fields);
        await record('create_dashboard', fields.name, { dashboard_id, cards: titlesOf(cards) });
        return getDashboard(tx, { game_id, dashboard_id });
      });
    },

    /** @throws ApiError 409 when somebody else has changed the dashboard, or its new name is taken. */
    update: async (key: DashboardKey, change: DashboardChange, actor: Actor) => {
      const { version, name, cards, position } = change;
      const isChanged = name !== undefined || cards !== undefined;
      if (!isChanged && position === undefined) {
        throw badRequest('name, cards or position is required');
      }
      return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
        const all = await store.listDashboards(tx, key.game_id);
        const current = await getDashboard(tx, key);
        if (version !== undefined && version !== current.version) {
          throw conflict(VERSION_CONFLICT, { server_version: current.version });
        }
        const others = all.filter(({ id }) => id !== current.id);
        const wanted = {
          name: name === undefined ? current.name : readName(name, others),
          cards: cards === undefined ? current.cards : readCards(cards, current.cards, reports),
        };
        if (isChanged) await store.updateDashboard(tx, key, { ...wanted, ...author(actor) });
        if (position !== undefined) {
          const ids = others.map(({ id }) => id).toSpliced(position - 1, 0, current.id);
          await store.updatePositions(tx, key.game_id, ids);
        }
        await record('update_dashboard', wanted.name, {
          dashboard_id: key.dashboard_id,
          position,
          ...(wanted.name !== current.name && { name_before: current.name }),
          ...(cards && { cards: titlesOf(wanted.cards) }),
        });
        return getDashboard(tx, key);
      });
    },

    /** @throws ApiError 409 when the dashboard is full. */
    pin: async (key: DashboardKey, sent: SentCard, actor: Actor) => {
      if (sent.id !== undefined) throw badRequest('id must be left out for a new card');
      const card = readCard(sent, reports);
      return changeGame(database, { game_id: key.game_id, actor }, async (tx, record) => {
        const { name, cards } = await getDashboard(tx, key);
        if (cards.length >= MAX_CARDS) {
          throw conflict(`A dashboard may have at most ${MAX_CARDS} cards: remove one first`);
        }
        const fields = { name, cards: [...cards, card], ...author(actor) };
        await store.updateDashboard(tx, key, fields);
        await record('pin_card', name, {
          dashboard_id: key.dashboard_id,
          title: card.title,
          report: card.report,
        });
        return getDashboard(tx, key);
      });
    },

    delete: ({ game_id, dashboard_id }: DashboardKey, actor: Actor) =>
      changeGame(database, { game_id, actor }, async (tx, record) => {
        const { name } = await getDashboard(tx, { game_id, dashboard_id });
        await store.deleteDashboard(tx, { game_id, dashboard_id });
        const left = await store.listDashboards(tx, game_id);
        await store.updatePositions(
          tx,
          game_id,
          left.map(({ id }) => id),
        );
        await record('delete_dashboard', name, { dashboard_id });
      }),
  };
}

/** @throws ApiError 409 when the game would have more dashboards than it may have. */
export function requireRoom(count: number): void {
  if (count > MAX_DASHBOARDS) {
    throw conflict(`A game may have at most ${MAX_DASHBOARDS} dashboards`);
  }
}

/** @throws ApiError 409 when another dashboard has the name. */
export function readName(sent: string, others: readonly { name: string }[]): string {
  const name = sent.trim();
  if (others.some((other) => foldText(other.name) === foldText(name))) {
    throw conflict('A dashboard of this name exists already');
  }
  return name;
}

export const author = ({ account }: Actor) => ({ updated_by: account?.email ?? null });

const titlesOf = (cards: readonly Card[]) => cards.map(({ title }) => title);
