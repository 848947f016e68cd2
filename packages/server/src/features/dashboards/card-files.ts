import type { Card, SentCard } from '@overworld/contract/dashboards/cards';
import { badRequest } from '../../platform/errors.ts';

/*
 * Cards as files have them: without ids, and with the key of an experiment in place of its id, which another game
 * does not have.
 */

/** A card of a file. */
export type FileCard = Omit<SentCard, 'id'> & { experiment?: string };

const PARAMETER = 'experiment_id=';
const ANY_ID = '00000000-0000-0000-0000-000000000000';

/** Shows a card with its members in the order of a reader. @param experiment The key of its experiment, if it has one. */
export function showCard(card: Card, experiment: string | undefined): FileCard {
  const { title, report, chart, query, width, last_days, from, to } = card;
  const days = from === null ? { last_days } : { from, to };
  if (experiment === undefined) return { title, report, chart, query, width, ...days };
  const rest = partsOf(query).filter((part) => !part.startsWith(PARAMETER));
  return { title, report, chart, experiment, query: rest.join('&'), width, ...days };
}

/** Shows the cards of a dashboard. @param keys The keys of the game's experiments by their ids. */
export const showCards = (cards: readonly Card[], keys: ReadonlyMap<string, string>): FileCard[] =>
  cards.map((card) => {
    const part = partsOf(card.query).find((it) => it.startsWith(PARAMETER));
    return showCard(card, part && keys.get(part.slice(PARAMETER.length).toLowerCase()));
  });

const partsOf = (query: string) => query.split('&');

/**
 * Turns the cards of a file into those of the API.
 * @param ids The ids of experiments by their keys; null to check the cards before the game is known.
 * @throws ApiError 400 when a card names an experiment that the game does not have.
 */
export function readFileCards(
  cards: readonly FileCard[],
  ids: ReadonlyMap<string, string> | null,
): SentCard[] {
  return cards.map(({ experiment, ...card }, index) => {
    if (experiment === undefined) return card;
    if (card.report !== 'results') {
      throw badRequest(`cards[${index}].experiment must be left out: only results are of one`);
    }
    const id = ids === null ? ANY_ID : ids.get(experiment);
    if (id === undefined) {
      throw badRequest(`cards[${index}].experiment: the game has no experiment ${experiment}`);
    }
    const query = [`${PARAMETER}${id}`, ...(card.query ? [card.query] : [])].join('&');
    return { ...card, query };
  });
}
