import { Select, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { describeDecision } from './decision-words.ts';
import { ReasonField } from './reason-field.tsx';
import { useUndo } from './use-undo.tsx';
import { showName } from '../../ui/shown-name.ts';

/** The value that means all boards; no board has an empty name. */
const ALL = '';

/**
 * Bans a player from one board or from all.
 * @param boards The boards to choose from, besides "all boards"; if there is only one, it is chosen.
 */
export function BanForm({ player_id, boards }: { player_id: string; boards: readonly string[] }) {
  const { inEnvironment } = useGame();
  const ban = useChange('POST /v1/games/{game_id}/players/{player_id}/leaderboard-bans');
  const { offer } = useUndo();
  const form = useForm({
    initialValues: { from: boards.length === 1 ? boards[0]! : ALL, reason: '' },
  });

  const submit = async ({ from, reason }: typeof form.values) => {
    const body = { board_name: from === ALL ? null : from, reason: reason || null };
    const decision = await ban.mutateAsync({ ...inEnvironment({ player_id }), body });
    offer(decision.decision_id, describeDecision(decision));
  };
  return (
    <DialogForm form={form} onSubmit={submit} action="Ban player" danger>
      <Text size="sm">
        The scores of <b className="name">{showName(player_id)}</b> are hidden, in past seasons too,
        and submits are refused. You can undo a ban at any time.
      </Text>
      <Select
        label="From"
        searchable={boards.length > 10}
        data={[
          { value: ALL, label: 'All boards' },
          ...boards.map((name) => ({ value: name, label: name })),
        ]}
        {...form.getInputProps('from')}
      />
      <ReasonField {...form.getInputProps('reason')} />
    </DialogForm>
  );
}
