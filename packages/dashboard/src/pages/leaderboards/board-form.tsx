import { Group, NumberInput, TextInput } from '@mantine/core';
import { useForm } from '@mantine/form';
import type { Keeps, TieBreak } from '@overworld/contract/leaderboards/kept-scores';
import type { ResetSchedule, SortOrder } from '@overworld/contract/leaderboards/settings';
import { isVisible } from '@overworld/contract/names';
import { useNavigate } from 'react-router';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { SwitchField } from '../../ui/forms/switch-field.tsx';
import { KEEPS_EFFECTS, KEEPS_WORDS, ORDER_WORDS, RESET_WORDS, TIE_WORDS } from './board-words.ts';
import { DialogForm } from '../../ui/forms/dialogs.tsx';
import { Note } from '../../ui/text.tsx';
import { readNumber } from '../../ui/forms/read-number.ts';
import { WordsSelect } from './words-select.tsx';

type Settings = Answer<'GET /v1/games/{game_id}/leaderboards/{board_name}'>;

/** The settings of a new board, which has no rules for scores. */
const NO_RULES = { writes_from: 'anyone', on_violation: 'refuse', ledger_days: 30 } as const;

const requireNumber = (typed: number | string) =>
  Number.isNaN(readNumber(typed)) && 'This is not a number';

/** @param board Null for a new leaderboard. */
export function BoardForm({ board }: { board: Settings | null }) {
  const { game_id, path } = useGame();
  const navigate = useNavigate();
  const put = useChange('PUT /v1/games/{game_id}/leaderboards/{board_name}');
  const form = useForm({
    initialValues: {
      board_name: board?.board_name ?? '',
      order: board?.order ?? ('descending' as SortOrder),
      keeps: board?.keeps ?? ('best' as Keeps),
      tie_break: board?.tie_break ?? ('none' as TieBreak),
      reset_schedule: board?.reset_schedule ?? ('none' as ResetSchedule),
      min_score: (board?.min_score ?? '') as number | string,
      max_score: (board?.max_score ?? '') as number | string,
    },
    validate: {
      board_name: (name) => !isVisible(name) && 'Name is required',
      min_score: requireNumber,
      max_score: requireNumber,
    },
  });

  const submit = ({ board_name, min_score, max_score, ...body }: typeof form.values) => {
    const bounds = {
      min_score: readNumber(min_score) ?? null,
      max_score: readNumber(max_score) ?? null,
    };
    return put.mutateAsync({
      params: { game_id, board_name },
      headers: board ? {} : { 'if-none-match': '*' },
      body: { ...(board ?? NO_RULES), ...body, ...bounds },
    });
  };

  const { keeps, tie_break } = form.values;
  const waits = board !== null && (keeps !== board.keeps || tie_break !== board.tie_break);

  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      onDone={() => {
        if (!board) void navigate(path('leaderboards', form.values.board_name));
      }}
      action={board ? 'Save' : 'Create leaderboard'}
    >
      <TextInput
        label="Name"
        description="Your game submits scores to it by this name"
        disabled={board !== null}
        data-autofocus={board === null || undefined}
        {...form.getInputProps('board_name')}
      />
      <SwitchField
        label="Order"
        fullWidth
        data={(['descending', 'ascending'] as const).map((value) => ({
          value,
          label: ORDER_WORDS[value],
        }))}
        {...form.getInputProps('order')}
      />
      <Group grow align="flex-start">
        <WordsSelect
          label="Keeps of each player"
          description={KEEPS_EFFECTS[form.values.keeps]}
          words={KEEPS_WORDS}
          {...form.getInputProps('keeps')}
        />
        <WordsSelect
          label="Of equal scores, first is"
          description="A second number that submits may have"
          words={TIE_WORDS}
          {...form.getInputProps('tie_break')}
        />
      </Group>
      {waits && (
        <Note>
          Seasons with scores stay as they are: what is kept, and the order of equal scores, change
          with the next season.
        </Note>
      )}
      <WordsSelect
        label="Resets"
        description="A new season begins at midnight in the game's time zone; past ones stay readable"
        words={RESET_WORDS}
        {...form.getInputProps('reset_schedule')}
      />
      <Group grow align="flex-start">
        <NumberInput
          label="Lowest score"
          description="Lower scores are refused"
          placeholder="none"
          {...form.getInputProps('min_score')}
        />
        <NumberInput
          label="Highest score"
          description="Higher scores are refused"
          placeholder="none"
          {...form.getInputProps('max_score')}
        />
      </Group>
    </DialogForm>
  );
}
