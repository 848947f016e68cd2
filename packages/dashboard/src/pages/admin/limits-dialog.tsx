import { Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TIERS } from '@overworld/contract/tiers';
import type { LimitedResource } from '@overworld/contract/tiers';
import { showFailure } from '../../api/field-error.ts';
import { useChange, useRead } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { formatLimit, LIMIT_NAMES, SHOWN_LIMITS } from '../../shell/limit-words.ts';
import { DialogButtons, FormProblem } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';

type Game = Answer<'GET /v1/admin/games'>['games'][number];
type Values = Record<LimitedResource, number | ''>;

/** Sets what a game may store, where that is not what its tier says. */
export function LimitsDialog({ game, onClose }: { game: Game | null; onClose: () => void }) {
  return (
    <Modal opened={game !== null} onClose={onClose} title="Limits of this game">
      {game && <LimitsForm game={game} onClose={onClose} />}
    </Modal>
  );
}

function LimitsForm({ game, onClose }: { game: Game; onClose: () => void }) {
  const { id: game_id, name, tier, limit_overrides } = game;
  const usage = useRead('GET /v1/games/{game_id}/usage', { params: { game_id } });
  const save = useChange('PUT /v1/admin/games/{game_id}/limits');
  const form = useForm<Values>({
    initialValues: Object.fromEntries(
      SHOWN_LIMITS.map((resource) => [resource, limit_overrides[resource] ?? '']),
    ) as Values,
  });
  const submit = (values: Values) => {
    const set = SHOWN_LIMITS.filter((resource) => values[resource] !== '');
    const body = Object.fromEntries(set.map((resource) => [resource, values[resource]]));
    save.mutate(
      { params: { game_id }, body },
      {
        onSuccess: () => {
          notify.done(`The limits of ${name} are set`);
          onClose();
        },
        onError: (error) => showFailure(form, error),
      },
    );
  };
  return (
    <form noValidate onSubmit={form.onSubmit(submit)}>
      <Stack gap="sm">
        <Text size="sm" className="name">
          What <b>{name}</b> may store. An empty field is the limit of its tier. Below what the game
          has, nothing is deleted, and nothing can be added.
        </Text>
        <FormProblem form={form} />
        {SHOWN_LIMITS.map((resource) => {
          const used = usage.data?.limits[resource].used;
          const by_tier = TIERS[tier].limits[resource];
          return (
            <NumberInput
              key={resource}
              label={resource === 'save_bytes' ? 'Cloud saves, bytes' : LIMIT_NAMES[resource]}
              description={used === undefined ? ' ' : `${formatLimit(resource, used)} used`}
              placeholder={`${by_tier.toLocaleString('en')} by its tier`}
              min={0}
              allowDecimal={false}
              allowNegative={false}
              thousandSeparator=","
              {...form.getInputProps(resource)}
            />
          );
        })}
        <DialogButtons onClose={onClose} action="Set limits" busy={save.isPending} />
      </Stack>
    </form>
  );
}
