import {
  Button,
  Card,
  Group,
  NumberInput,
  SegmentedControl,
  Select,
  Stack,
  Textarea,
  TextInput,
} from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { MAX_REWARDS } from '@overworld/contract/messages/message-limits';
import { RowButton } from '../../../ui/buttons.tsx';
import { NEW_GIFT } from './reward-drafts.ts';
import type { RewardDraft } from './reward-drafts.ts';

export interface RewardsValues {
  rewards: RewardDraft[];
}

const GIFT_TYPES = [
  { value: 'item', label: 'Item' },
  { value: 'stat', label: 'Statistic' },
  { value: 'achievement', label: 'Achievement' },
];

const PLACEHOLDERS = {
  item: 'coins',
  stat: 'key of the statistic',
  achievement: 'key of the achievement',
};

/** The fields of one reward of a season. */
export function RewardFields({
  form,
  place,
}: {
  form: UseFormReturnType<RewardsValues>;
  place: number;
}) {
  const at = `rewards.${place}`;
  const draft = form.values.rewards[place]!;
  const name = `reward ${place + 1}`;
  return (
    <Card withBorder padding="sm" component="fieldset" miw={0} aria-label={`Reward ${place + 1}`}>
      <Stack gap="xs">
        <Group justify="space-between">
          <SegmentedControl
            aria-label={`Who gets ${name}`}
            data={[
              { value: 'percent', label: 'Percent' },
              { value: 'ranks', label: 'Ranks' },
            ]}
            {...form.getInputProps(`${at}.kind`)}
          />
          <RowButton
            danger
            aria-label={`Remove ${name}`}
            onClick={() => form.removeListItem('rewards', place)}
          >
            Remove
          </RowButton>
        </Group>
        {draft.kind === 'percent' ? (
          <NumberInput
            label="Percent of the entries, from the first rank on"
            min={0.01}
            max={100}
            suffix="%"
            {...form.getInputProps(`${at}.top_percent`)}
          />
        ) : (
          <Group grow>
            <NumberInput label="From rank" min={1} {...form.getInputProps(`${at}.from_rank`)} />
            <NumberInput label="To rank" min={1} {...form.getInputProps(`${at}.to_rank`)} />
          </Group>
        )}
        <TextInput label="Title of the message" {...form.getInputProps(`${at}.title`)} />
        <Textarea label="Text" autosize minRows={2} {...form.getInputProps(`${at}.text`)} />
        {draft.gifts.map((gift, index) => (
          <Group key={index} gap="xs" align="flex-end">
            <Select
              aria-label={`Kind of gift ${index + 1} of ${name}`}
              data={GIFT_TYPES}
              w={130}
              allowDeselect={false}
              {...form.getInputProps(`${at}.gifts.${index}.type`)}
            />
            <TextInput
              aria-label={`Name of gift ${index + 1} of ${name}`}
              placeholder={PLACEHOLDERS[gift.type]}
              style={{ flex: 1, minWidth: 120 }}
              {...form.getInputProps(`${at}.gifts.${index}.key`)}
            />
            {gift.type !== 'achievement' && (
              <NumberInput
                aria-label={`${gift.type === 'item' ? 'Number' : 'Change'} of gift ${index + 1} of ${name}`}
                w={90}
                {...(gift.type === 'item' && { min: 1 })}
                {...form.getInputProps(`${at}.gifts.${index}.quantity`)}
              />
            )}
            <RowButton
              danger
              aria-label={`Remove gift ${index + 1} of ${name}`}
              onClick={() => form.removeListItem(`${at}.gifts`, index)}
            >
              Remove
            </RowButton>
          </Group>
        ))}
        {draft.gifts.length < MAX_REWARDS && (
          <div>
            <Button
              size="xs"
              variant="default"
              aria-label={`Add a gift to ${name}`}
              onClick={() => form.insertListItem(`${at}.gifts`, NEW_GIFT)}
            >
              Add a gift
            </Button>
          </div>
        )}
      </Stack>
    </Card>
  );
}
