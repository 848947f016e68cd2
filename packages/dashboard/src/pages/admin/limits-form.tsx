import { NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { TIERS } from '@overworld/contract/tiers';
import type { LimitedResource } from '@overworld/contract/tiers';
import { useChange, useRead } from '../../api/hooks.ts';
import { formatLimit, LIMIT_NAMES, SHOWN_LIMITS } from '../../shell/limit-words.ts';
import { DialogForm } from '../../ui/forms/form-dialog.tsx';
import { notify } from '../../ui/notify.tsx';
import type { Game } from './games-tab.tsx';

type Values = Record<LimitedResource | 'key_requests_per_minute', number | ''>;

/** Sets the limits of a game where they differ from the usual ones. */
export function LimitsForm({ game }: { game: Game }) {
  const { id: game_id, name, tier, limit_overrides } = game;
  const usage = useRead('GET /v1/games/{game_id}/usage', { params: { game_id } });
  const save = useChange('PUT /v1/admin/games/{game_id}/limits');
  const form = useForm<Values>({
    initialValues: {
      ...(Object.fromEntries(
        SHOWN_LIMITS.map((resource) => [resource, limit_overrides[resource] ?? '']),
      ) as Record<LimitedResource, number | ''>),
      key_requests_per_minute: limit_overrides.key_requests_per_minute ?? '',
    },
  });
  const submit = async (values: Values) => {
    const body = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
    await save.mutateAsync({ params: { game_id }, body });
    notify.done(`The limits of ${name} are set`);
  };
  return (
    <DialogForm
      form={form}
      onSubmit={submit}
      action="Set limits"
      gap="sm"
      head={
        <Text size="sm" className="name">
          The limits of <b>{name}</b>. An empty field is the limit of its tier. A limit below what
          the game has deletes nothing but old submits in ledgers. Of all else, nothing more can be
          added.
        </Text>
      }
    >
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
      <NumberInput
        label="Requests a minute of each API key"
        description="Up to RATE_LIMIT_CEILING, which the operator of this installation sets"
        placeholder="As many as for other games"
        min={0}
        allowDecimal={false}
        allowNegative={false}
        thousandSeparator=","
        {...form.getInputProps('key_requests_per_minute')}
      />
    </DialogForm>
  );
}
