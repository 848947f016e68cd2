import { Badge, Group, Menu, Text } from '@mantine/core';
import { IconEyeOff } from '@tabler/icons-react';
import { useChange, readQuery } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { Grip } from '../../ui/arranging/grip.tsx';
import { useArrangement } from '../../ui/arranging/use-arrangement.ts';
import { Dimmed } from '../../ui/text.tsx';
import { Confirm, useDialog } from '../../ui/forms/dialogs.tsx';
import { Share } from '../../ui/share.tsx';
import { countOf, formatCount, isFew } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { AchievementIcon } from './achievement-icon.tsx';
import classes from './achievement-list.module.css';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { call } from '../../api/client.ts';
import { showName } from '../../ui/shown-name.ts';

export type Achievement = Answer<'GET /v1/games/{game_id}/achievements'>['achievements'][number];

export function AchievementList(props: {
  achievements: Achievement[];
  /** All players of the environment. */
  player_count: number;
  onEdit: (achievement: Achievement) => void;
}) {
  const { achievements, player_count, onEdit } = props;
  const { game_id, can } = useGame();
  const storeMove = useStoreMove();
  const order = useArrangement({
    items: achievements.map((each) => ({ ...each, id: each.key })),
    nameOf: ({ name }) => name,
    onMove: async ({ id }, target) => {
      const undo = await storeMove(id, target.key);
      const { name } = achievements.find(({ key }) => key === id)!;
      notify.undoable(`Moved ${name}`, undo);
    },
  });
  const update = useChange('PATCH /v1/games/{game_id}/achievements/{key}');
  const remove = useChange('DELETE /v1/games/{game_id}/achievements/{key}');
  const deleting = useDialog<Achievement>();
  const mayEdit = can('developer');

  const set = ({ key }: Achievement, body: { archived?: boolean; hidden?: boolean }) =>
    update.mutateAsync({ params: { game_id, key }, body });
  const change = (
    achievement: Achievement,
    name: 'archived' | 'hidden',
    [words, otherWords]: [string, string],
  ) => {
    const before = achievement[name];
    notify.outcome(
      set(achievement, { [name]: !before }),
      `${achievement.name} is ${before ? otherWords : words}`,
      () => set(achievement, { [name]: before }),
    );
  };

  return (
    <>
      <span className="visually-hidden" role="status">
        {order.announcement}
      </span>
      <ul className={classes.list}>
        {order.items.map((achievement) => (
          <li key={achievement.key} className={classes.row} {...order.placeOf(achievement)}>
            {mayEdit && !achievement.archived && (
              <Grip
                name={achievement.name}
                className={classes.grip}
                {...order.gripOf(achievement)}
              />
            )}
            <AchievementIcon url={achievement.icon_url} />
            <div className={classes.text}>
              <Group gap={8}>
                <Text fw={600} className="name" lineClamp={2}>
                  {showName(achievement.name)}
                </Text>
                {achievement.hidden && (
                  <Badge color="gray" leftSection={<IconEyeOff size={12} aria-hidden />}>
                    hidden
                  </Badge>
                )}
              </Group>
              <Dimmed className="name" lineClamp={2}>
                {achievement.description || <code>{showName(achievement.key)}</code>}
              </Dimmed>
            </div>
            <div className={classes.numbers} title={countOf(achievement.unlock_count, 'player')}>
              <span className={classes.points}>{formatCount(achievement.points)}</span>
              <span className={classes.share}>
                <Share part={achievement.unlock_count} whole={player_count} />
                {!isFew(player_count) && (
                  <span className={classes.track}>
                    <span style={{ width: `${achievement.unlock_share * 100}%` }} />
                  </span>
                )}
              </span>
            </div>
            {mayEdit && (
              <RowMenu name={achievement.name} iconSize={18}>
                <Menu.Item onClick={() => onEdit(achievement)}>Edit</Menu.Item>
                <Menu.Item
                  onClick={() => change(achievement, 'hidden', ['hidden', 'no longer hidden'])}
                >
                  {achievement.hidden ? 'Show before it is unlocked' : 'Hide until unlocked'}
                </Menu.Item>
                <Menu.Item
                  onClick={() => change(achievement, 'archived', ['archived', 'restored'])}
                >
                  {achievement.archived ? 'Restore' : 'Archive'}
                </Menu.Item>
                <DangerItem onClick={() => deleting.open(achievement)}>Delete</DangerItem>
              </RowMenu>
            )}
          </li>
        ))}
      </ul>
      <Confirm
        {...deleting.frame}
        title="Delete this achievement?"
        action="Delete achievement"
        onConfirm={async () => {
          const { result } = await remove.mutateAsync({
            params: { game_id, key: deleting.item!.key },
          });
          notify.done(`${deleting.item!.name} was ${result}`);
        }}
      >
        <b>{showName(deleting.item?.name)}</b> leaves the catalogue. If any player has it, it is
        archived instead, and they keep it.
      </Confirm>
    </>
  );
}

const LIST = 'GET /v1/games/{game_id}/achievements';

/**
 * Stores the moves of achievements one after the other. Each move uses the positions that were loaded after
 * the previous move. Archived achievements have positions too.
 * @returns a function that moves an achievement to the place of another one. The result of this function is a
 * second function, which undoes the move.
 */
function useStoreMove() {
  const { game_id, inEnvironment } = useGame();
  const client = useQueryClient();
  const { queryKey } = readQuery(LIST, inEnvironment());
  const { mutateAsync } = useMutation({
    scope: { id: `order of achievements of ${game_id}` },
    async mutationFn({ key, onto }: { key: string; onto: string | number }) {
      const list = client.getQueryData<Answer<typeof LIST>>(queryKey)?.achievements ?? [];
      const positionOf = (wanted: string) => list.find((each) => each.key === wanted)?.position;
      const position = typeof onto === 'number' ? onto : positionOf(onto);
      await call('PATCH /v1/games/{game_id}/achievements/{key}', {
        params: { game_id, key },
        body: { position },
      });
      return positionOf(key);
    },
  });
  return async (key: string, onto: string) => {
    const before = await mutateAsync({ key, onto });
    return () => mutateAsync({ key, onto: before! });
  };
}
