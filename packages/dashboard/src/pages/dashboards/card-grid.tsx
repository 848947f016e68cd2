import { Menu } from '@mantine/core';
import { isDated } from '@overworld/contract/analytics/reports';
import type { Card, SentCard } from '@overworld/contract/dashboards/cards';
import { CARD_DAYS, daysInWords, daysOf } from '../../reports/pinning/card-days.ts';
import { useGame } from '../../shell/game.ts';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { Grip } from '../../ui/arranging/grip.tsx';
import { applyMove, useArrangement } from '../../ui/arranging/use-arrangement.ts';
import { MenuChoice } from '../../ui/choice.tsx';
import { notify } from '../../ui/notify.tsx';
import { DashboardCard } from './dashboard-card.tsx';
import { NameDialog } from '../../ui/forms/name-dialog.tsx';
import { useCards } from './use-cards.ts';
import type { Dashboard } from './use-cards.ts';
import classes from './dashboard.module.css';
import { useDialog } from '../../ui/forms/dialogs.tsx';

/**
 * The cards of a dashboard, which developers can arrange.
 * @param last_days The days that all cards show; null if each card shows its own days.
 */
export function CardGrid(props: { dashboard: Dashboard; last_days: number | null }) {
  const { dashboard, last_days } = props;
  const { game, can } = useGame();
  const change = useCards(dashboard.id);
  const renaming = useDialog<Card>();
  const order = useArrangement({
    items: dashboard.cards,
    nameOf: ({ title }) => title,
    onMove: (move) => change((cards) => applyMove(cards, move)),
  });

  const set = (card: Card, changes: Partial<SentCard>) =>
    change((cards) => cards.map((each) => (each.id === card.id ? { ...each, ...changes } : each)));
  const remove = async (card: Card) => {
    const place = dashboard.cards.findIndex(({ id }) => id === card.id);
    await change((cards) => cards.filter(({ id }) => id !== card.id));
    const { id: _id, ...again } = card;
    notify.undoable(`Removed ${card.title}`, () =>
      change((cards) => (cards as SentCard[]).toSpliced(place, 0, again)),
    );
  };

  return (
    <>
      <span className="visually-hidden" role="status">
        {order.announcement}
      </span>
      <ul className={classes.grid}>
        {order.items.map((card, place) => {
          const shown = last_days === null ? card : { ...card, last_days, from: null, to: null };
          return (
            <li
              key={card.id}
              className={classes.cell}
              data-width={card.width}
              {...order.placeOf(card)}
            >
              <DashboardCard
                card={shown}
                days={daysOf(shown, game.time_zone)}
                words={daysInWords(shown)}
                grip={can('developer') && <Grip name={card.title} {...order.gripOf(card)} />}
                menuOf={(onUseOutside) => (
                  <RowMenu name={card.title} iconSize={18}>
                    <Menu.Item onClick={onUseOutside}>Use outside</Menu.Item>
                    {can('developer') && (
                      <ChangeItems
                        card={card}
                        isFirst={place === 0}
                        isLast={place === order.items.length - 1}
                        onMove={(step) => order.moveBy(card.id, step)}
                        onSet={(changes) => void set(card, changes).catch(notify.failed)}
                        onRename={() => renaming.open(card)}
                        onRemove={() => void remove(card).catch(notify.failed)}
                      />
                    )}
                  </RowMenu>
                )}
              />
            </li>
          );
        })}
      </ul>
      <NameDialog
        {...renaming.frame}
        title="Title of this chart"
        action="Save"
        label="Title"
        maxLength={255}
        name={renaming.item?.title ?? ''}
        onSubmit={(title) => set(renaming.item!, { title })}
      />
    </>
  );
}

/** The items of the menu of a card that change the card. */
function ChangeItems(props: {
  card: Card;
  isFirst: boolean;
  isLast: boolean;
  onMove: (step: number) => void;
  onSet: (changes: Partial<SentCard>) => void;
  onRename: () => void;
  onRemove: () => void;
}) {
  const { card, isFirst, isLast, onMove, onSet, onRename, onRemove } = props;
  return (
    <>
      <Menu.Divider />
      <Menu.Item onClick={onRename}>Rename</Menu.Item>
      <Menu.Item disabled={isFirst} onClick={() => onMove(-1)}>
        Move earlier
      </Menu.Item>
      <Menu.Item disabled={isLast} onClick={() => onMove(1)}>
        Move later
      </Menu.Item>
      <Menu.Item onClick={() => onSet({ width: card.width === 'half' ? 'full' : 'half' })}>
        {card.width === 'half' ? 'Make full width' : 'Make half width'}
      </Menu.Item>
      <Menu.Divider />
      {isDated(card.report) && (
        <>
          <MenuChoice
            choice={{
              label: 'Days',
              value: String(card.last_days ?? ''),
              options: CARD_DAYS,
              onChange: (value) => onSet({ last_days: Number(value), from: null, to: null }),
            }}
          />
          <Menu.Divider />
        </>
      )}
      <DangerItem onClick={onRemove}>Remove</DangerItem>
    </>
  );
}
