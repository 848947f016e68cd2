import { Radio, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { TakenOffState } from '@overworld/contract/leaderboards/taken-off';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { formatScore } from '../../ui/format.ts';
import { describeDecision } from './decision-words.ts';
import { ReasonField } from './reason-field.tsx';
import { useUndo } from './use-undo.tsx';
import { showName } from '../../ui/shown-name.ts';

interface PublicScore {
  board_name: string;
  /** Left out for the current season. */
  season?: number;
  player_id: string;
  player_name: string | null;
  score: number;
  rank: number;
}

const STATES: { value: TakenOffState; label: string; description: string }[] = [
  {
    value: 'waiting',
    label: 'It waits for a decision',
    description: 'Until somebody accepts or removes it, only its player sees it',
  },
  {
    value: 'removed',
    label: 'It is removed',
    description: 'Nobody sees it any more. You can undo this for 30 days',
  },
];

/** Removes a public score from its board, so that it waits for a decision. */
export function TakeOffForm({ score }: { score: PublicScore }) {
  const { board_name, season, player_id, player_name } = score;
  const { inEnvironment } = useGame();
  const takeOff = useChange(
    'POST /v1/games/{game_id}/leaderboards/{board_name}/entries/{player_id}/quarantine',
  );
  const { offer } = useUndo();
  const form = useForm({ initialValues: { state: 'waiting' as TakenOffState, reason: '' } });

  const submit = async ({ state, reason }: typeof form.values) => {
    const body = { state, reason: reason || null, season };
    const decision = await takeOff.mutateAsync({
      ...inEnvironment({ board_name, player_id }),
      body,
    });
    offer(decision.decision_id, describeDecision(decision));
  };
  return (
    <DialogForm form={form} onSubmit={submit} action="Take off the board" danger>
      <Text size="sm" className="name">
        <b>{player_name || player_id}</b> loses rank {score.rank} on <b>{showName(board_name)}</b>{' '}
        with {formatScore(score.score)} points, and those behind move up. The player may submit
        again.
      </Text>
      <Radio.Group label="The score from now on" {...form.getInputProps('state')}>
        <Stack gap="xs" mt="xs">
          {STATES.map((state) => (
            <Radio key={state.value} {...state} />
          ))}
        </Stack>
      </Radio.Group>
      <ReasonField {...form.getInputProps('reason')} />
    </DialogForm>
  );
}
