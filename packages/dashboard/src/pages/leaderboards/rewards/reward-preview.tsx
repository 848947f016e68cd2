import { Button, Stack, Table, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { countOf, formatCount, formatScore } from '../../../ui/format.ts';
import { notify } from '../../../ui/notify.tsx';
import { Note } from '../../../ui/text.tsx';
import type { SeasonReward } from './reward-drafts.ts';

const PREVIEW =
  'POST /v1/games/{game_id}/leaderboards/{board_name}/season-rewards/preview' as const;
type Preview = Answer<typeof PREVIEW>;

/** A button that shows who would get what, and the table that it shows. */
export function RewardPreview({
  board_name,
  season,
  read,
}: {
  board_name: string;
  /** Null for the current season. */
  season: number | null;
  /** Reads the rewards as they are typed; null if a field is wrong. */
  read: () => SeasonReward[] | null;
}) {
  const { inEnvironment } = useGame();
  const preview = useChange(PREVIEW);
  const [shown, setShown] = useState<Preview | null>(null);
  const show = async () => {
    const season_rewards = read();
    if (season_rewards === null) return;
    const body = { season: season ?? undefined, season_rewards };
    setShown(await preview.mutateAsync({ ...inEnvironment({ board_name }), body }));
  };
  return (
    <Stack gap="xs">
      <div>
        <Button
          size="xs"
          variant="default"
          loading={preview.isPending}
          onClick={() => void show().catch(notify.failed)}
        >
          Show who gets what
        </Button>
      </div>
      {shown && <PreviewTable preview={shown} isPast={season !== null} />}
    </Stack>
  );
}

function PreviewTable({ preview, isPast }: { preview: Preview; isPast: boolean }) {
  const { total_entries, waiting_scores, rewards } = preview;
  return (
    <div aria-live="polite">
      <Text size="sm">
        {isPast ? 'Season' : 'If season'} {preview.season}{' '}
        {isPast ? 'has ended with' : 'ended now, with'} {countOf(total_entries, 'entry', 'entries')}
        :
      </Text>
      <Table.ScrollContainer minWidth={420}>
        <Table aria-label="Who gets what">
          <Table.Thead>
            <Table.Tr>
              <Table.Th>Reward</Table.Th>
              <Table.Th>Ranks</Table.Th>
              <Table.Th ta="end">Players</Table.Th>
              <Table.Th>Such as</Table.Th>
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rewards.map(({ title, first_rank, last_rank, player_count, players }, place) => (
              <Table.Tr key={place}>
                <Table.Td>{title}</Table.Td>
                <Table.Td>
                  {first_rank === null
                    ? 'none'
                    : `${formatCount(first_rank)} to ${formatCount(last_rank!)}`}
                </Table.Td>
                <Table.Td ta="end">{formatCount(player_count)}</Table.Td>
                <Table.Td>
                  {players
                    .map(
                      ({ player_id, player_name, score }) =>
                        `${player_name ?? player_id} (${formatScore(score)})`,
                    )
                    .join(', ')}
                </Table.Td>
              </Table.Tr>
            ))}
          </Table.Tbody>
        </Table>
      </Table.ScrollContainer>
      {waiting_scores > 0 && (
        <Note>
          {countOf(waiting_scores, 'score', 'scores')} of the season wait for a decision. Their
          players get nothing until then.
        </Note>
      )}
    </div>
  );
}
