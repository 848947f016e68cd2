import { Button, Group, Stack, Table, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { usePages, useRead } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { PlayerName } from '../../../shell/player-name.tsx';
import { countOf, formatCount } from '../../../ui/format.ts';
import { FormDialog } from '../../../ui/forms/dialogs.tsx';
import { RowLink } from '../../../ui/links.tsx';
import { Card } from '../../../ui/page.tsx';
import { column } from '../../../ui/tables/columns.tsx';
import { TableCard, tableOf } from '../../../ui/tables/table-card.tsx';
import { Note } from '../../../ui/text.tsx';
import { Ago } from '../../../ui/time/moment.tsx';
import { Rank } from '../rank-and-score.tsx';
import { ranksInWords } from './reward-drafts.ts';
import { RewardsForm } from './rewards-form.tsx';

const RUN = 'GET /v1/games/{game_id}/leaderboards/{board_name}/seasons/{season}/rewards' as const;
const PLAYERS =
  'GET /v1/games/{game_id}/leaderboards/{board_name}/seasons/{season}/rewards/players' as const;
type Run = Answer<typeof RUN>;
type Rewarded = Answer<typeof PLAYERS>['players'][number];

const STATE_WORDS: Record<Run['state'], string> = {
  waiting: 'The ranks are being read',
  giving: 'The messages are being sent',
  done: 'All messages are sent',
};

const PLAYER_WORDS: Record<Rewarded['state'], string> = {
  held: 'Waits for the decision about a score',
  due: 'Is being sent',
  given: 'Sent',
  gone: 'Was taken off the board before',
};

/** The interval at which the numbers are read again while messages are sent. */
const EVERY_MS = 3_000;

/** The rewards that the players of a past season got, or the button to reward it. */
export function SeasonRewards(props: { board_name: string; season: number; is_rewarded: boolean }) {
  const { board_name, season, is_rewarded } = props;
  const { inEnvironment, can } = useGame();
  const board = useRead(
    'GET /v1/games/{game_id}/leaderboards/{board_name}',
    inEnvironment({ board_name }),
  );
  const [isOpen, dialog] = useDisclosure();
  if (is_rewarded) return <GivenRewards board_name={board_name} season={season} />;
  if (!board.data || !can('developer')) return null;
  return (
    <Group>
      <Button variant="default" onClick={dialog.open}>
        Reward season {season}
      </Button>
      <FormDialog
        opened={isOpen}
        onClose={dialog.close}
        title={`Reward season ${season}`}
        size="lg"
      >
        <RewardsForm board={board.data} season={season} />
      </FormDialog>
    </Group>
  );
}

function GivenRewards({ board_name, season }: { board_name: string; season: number }) {
  const { inEnvironment, path } = useGame();
  const input = inEnvironment({ board_name, season });
  const run = useRead(RUN, input, { every: EVERY_MS });
  const players = usePages(PLAYERS, input);
  if (!run.data) return null;
  const { rewards, held_count } = run.data;
  return (
    <Stack gap="md">
      <Card title={`Rewards of season ${season}`}>
        <Text size="sm" aria-live="polite">
          {STATE_WORDS[run.data.state]}
        </Text>
        <Table.ScrollContainer minWidth={360}>
          <Table aria-label="Rewards">
            <Table.Thead>
              <Table.Tr>
                <Table.Th>Reward</Table.Th>
                <Table.Th>Who</Table.Th>
                <Table.Th ta="end">Players</Table.Th>
                <Table.Th ta="end">Sent</Table.Th>
              </Table.Tr>
            </Table.Thead>
            <Table.Tbody>
              {rewards.map((reward, place) => (
                <Table.Tr key={place}>
                  <Table.Td>{reward.title}</Table.Td>
                  <Table.Td>{ranksInWords(reward)}</Table.Td>
                  <Table.Td ta="end">{formatCount(reward.player_count)}</Table.Td>
                  <Table.Td ta="end">{formatCount(reward.given_count)}</Table.Td>
                </Table.Tr>
              ))}
            </Table.Tbody>
          </Table>
        </Table.ScrollContainer>
        {held_count > 0 && (
          <Note>
            {countOf(held_count, 'player', 'players')} get theirs when their scores are decided.
          </Note>
        )}
      </Card>
      <TableCard
        label="Rewarded players"
        columns={[
          column<Rewarded>('rank', 'Rank', { align: 'end', width: 72 }, ({ rank }) =>
            rank === null ? '' : <Rank rank={rank} />,
          ),
          column<Rewarded>('player', 'Player', ({ player_id }) => (
            <RowLink to={path('players', player_id)}>
              <PlayerName player_id={player_id} />
            </RowLink>
          )),
          column<Rewarded>('reward', 'Reward', ({ reward }) =>
            reward === null ? '' : rewards[reward]?.title,
          ),
          column<Rewarded>('state', 'State', ({ state, given_at }) => (
            <>
              {PLAYER_WORDS[state]} {given_at && <Ago at={given_at} />}
            </>
          )),
        ]}
        {...tableOf(players, 'players')}
        rowKey={({ player_id }) => player_id}
        density="compact"
        emptyTitle="Nobody yet"
        emptyWords="Players show here as soon as the ranks are read."
      />
    </Stack>
  );
}
