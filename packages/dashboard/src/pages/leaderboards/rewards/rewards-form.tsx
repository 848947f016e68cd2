import { Button } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_SEASON_REWARDS } from '@overworld/contract/leaderboards/season-reward-limits';
import { isVisible } from '@overworld/contract/names';
import { useChange } from '../../../api/hooks.ts';
import type { Answer } from '../../../api/operations.ts';
import { useGame } from '../../../shell/game.ts';
import { DialogForm } from '../../../ui/forms/dialogs.tsx';
import { readNumber } from '../../../ui/forms/read-number.ts';
import { notify } from '../../../ui/notify.tsx';
import { Dimmed } from '../../../ui/text.tsx';
import { NEW_REWARD, toDraft, toReward } from './reward-drafts.ts';
import { RewardFields } from './reward-fields.tsx';
import type { RewardsValues } from './reward-fields.tsx';
import { RewardPreview } from './reward-preview.tsx';

type Board = Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}'>;

/**
 * Edits the rewards of a board, or gives rewards for a past season.
 * @param season The past season; null to edit the rewards of all seasons from now on.
 */
export function RewardsForm({ board, season }: { board: Board; season: number | null }) {
  const { board_name } = board;
  const { game_id, inEnvironment } = useGame();
  const put = useChange('PUT /v1/games/{game_id}/leaderboards/{board_name}');
  const give = useChange(
    'POST /v1/games/{game_id}/leaderboards/{board_name}/seasons/{season}/rewards',
  );
  const first = board.season_rewards.map(toDraft);
  const form = useForm<RewardsValues>({
    initialValues: { rewards: season !== null && first.length === 0 ? [NEW_REWARD] : first },
    validate: {
      rewards: {
        title: (title) => !isVisible(title) && 'The title is required',
        top_percent: (typed, { rewards }, path) => {
          const percent = readNumber(typed) ?? 0;
          const { kind } = rewards[Number(path.split('.')[1])]!;
          return kind === 'percent' && !(percent > 0 && percent <= 100) && 'This must be 0 to 100';
        },
        gifts: { key: (key) => !isVisible(key) && 'Name is required' },
      },
    },
  });
  const { rewards } = form.values;

  const submit = async (values: RewardsValues): Promise<void> => {
    const season_rewards = values.rewards.map(toReward);
    if (season === null) {
      const body = { ...board, season_rewards };
      await put.mutateAsync({ params: { game_id, board_name }, headers: {}, body });
      return;
    }
    const input = inEnvironment({ board_name, season });
    await give.mutateAsync({ ...input, body: { season_rewards } });
    notify.done(`Season ${season} is being rewarded`);
  };

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action={season === null ? 'Save' : `Reward season ${season}`}
    >
      <Dimmed>
        {season === null
          ? 'When a season ends, each player gets the first of these that has its rank, once, as a message.'
          : 'Each player of the season gets the first of these that has its rank, once, as a message. This cannot be taken back.'}
      </Dimmed>
      {rewards.map((_, place) => (
        <RewardFields key={place} form={form} place={place} />
      ))}
      {rewards.length < MAX_SEASON_REWARDS && (
        <div>
          <Button
            variant="default"
            size="xs"
            onClick={() => form.insertListItem('rewards', NEW_REWARD)}
          >
            Add a reward
          </Button>
        </div>
      )}
      <RewardPreview
        board_name={board_name}
        season={season}
        read={() => (form.validate().hasErrors ? null : form.values.rewards.map(toReward))}
      />
    </DialogForm>
  );
}
