import { isDeepStrictEqual } from 'node:util';
import type { Card, SentCard } from '@overworld/contract/dashboards/cards';
import type { Queryable } from '../../platform/database/database.ts';
import type {
  Definition,
  DefinitionKind,
  ListIds,
} from '../../platform/definitions/definition-kind.ts';
import { orderAll, settlePlaces } from '../../platform/definitions/places.ts';
import { badRequest, notFound } from '../../platform/errors.ts';
import { parseJsonText } from '../../platform/json/parse-json.ts';
import type { PinnedReports } from '../../platform/reports/pinned-reports.ts';
import { readFileCards, showCard, showCards } from './card-files.ts';
import type { FileCard } from './card-files.ts';
import { readCards } from './cards.ts';
import { author, readName, requireRoom } from './dashboards.ts';
import * as store from './store.ts';

/** Dashboards as files. Their keys are their names, and their cards have no ids. */
export function dashboardKind(reports: PinnedReports, listExperiments: ListIds): DefinitionKind {
  const listKeys = async (tx: Queryable, game_id: string) =>
    new Map([...(await listExperiments(tx, game_id))].map(([key, id]) => [id, key]));
  const find = async (tx: Queryable, game_id: string, key: string) => {
    const all = await store.listDashboards(tx, game_id);
    const found = all.find(({ name }) => name === key);
    if (found === undefined) throw notFound('Dashboard not found');
    return { game_id, dashboard_id: found.id };
  };

  return {
    name: 'dashboard',
    async list(tx, game_id, pause) {
      const listed = new Map<string, Definition>();
      const keys = await listKeys(tx, game_id);
      for (const { name, cards } of await store.listCardTexts(tx, game_id)) {
        await pause();
        const shown = showCards(parseJsonText(cards) as Card[], keys);
        listed.set(name, { cards: shown, position: listed.size + 1 });
      }
      return listed;
    },
    complete(definition, _exact, key) {
      if (key !== key.trim()) throw badRequest('key must not begin or end with spaces');
      const given = definition.cards as FileCard[];
      const cards = readCards(readFileCards(given, null), [], reports);
      const shown = cards.map((card, index) => showCard(card, given[index]!.experiment));
      return { ...definition, cards: shown };
    },
    settle: settlePlaces,
    async requireRoom({ tx, game_id }, added) {
      requireRoom(added + (await store.listDashboards(tx, game_id)).length);
    },
    async create({ tx, game_id, actor }, key, definition) {
      const name = readName(key, await store.listDashboards(tx, game_id));
      const sent = readFileCards(
        definition.cards as FileCard[],
        await listExperiments(tx, game_id),
      );
      const cards = readCards(sent, [], reports);
      // `finish` gives all dashboards their places.
      await store.insertDashboard(tx, game_id, { name, position: 0, cards, ...author(actor) });
    },
    async update({ tx, game_id, actor }, key, definition) {
      const id = await find(tx, game_id, key);
      const { cards: present } = (await store.findDashboard(tx, id))!;
      const wanted = definition.cards as FileCard[];
      if (isDeepStrictEqual(showCards(present, await listKeys(tx, game_id)), wanted)) return;
      const sent = readFileCards(wanted, await listExperiments(tx, game_id));
      const cards = readCards(withIds(sent, present), present, reports);
      await store.updateDashboard(tx, id, { name: key, cards, ...author(actor) });
    },
    async delete({ tx, game_id }, key) {
      await store.deleteDashboard(tx, await find(tx, game_id, key));
    },
    async finish({ tx, game_id }, wanted) {
      const all = await store.listDashboards(tx, game_id);
      const ids = new Map(all.map(({ name, id }) => [name, id]));
      const names = orderAll([...ids.keys()], wanted);
      await store.updatePositions(
        tx,
        game_id,
        names.map((name) => ids.get(name)!),
      );
    },
  };
}

/** Gives a card the id of a present one with the same title and chart, so that it stays the same card. */
function withIds(wanted: readonly SentCard[], present: readonly Card[]): SentCard[] {
  const free = [...present];
  return wanted.map((card) => {
    const at = free.findIndex(
      ({ title, report, chart }) =>
        title === card.title && report === card.report && chart === card.chart,
    );
    const [same] = at < 0 ? [] : free.splice(at, 1);
    return same === undefined ? card : { ...card, id: same.id };
  });
}
