import { Autocomplete, Button, Group, NumberInput, Select, Stack } from '@mantine/core';
import { IconGift, IconTrash } from '@tabler/icons-react';
import { MAX_ITEM_QUANTITY, MAX_REWARDS } from '@overworld/contract/messages/message-limits';
import { useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { IconButton } from '../../ui/buttons.tsx';
import { Note, PartTitle } from '../../ui/text.tsx';
import type { RewardDraft } from './message-draft.ts';

const TYPES = [
  { value: 'item', label: 'Item' },
  { value: 'stat', label: 'Statistic' },
  { value: 'achievement', label: 'Achievement' },
];

const NAMES = { item: 'Item', stat: 'Statistic', achievement: 'Achievement' };

/** The rewards of a message. */
export function RewardFields(props: {
  rewards: RewardDraft[];
  onChange: (rewards: RewardDraft[]) => void;
}) {
  const { rewards, onChange } = props;
  return (
    <Stack gap="xs">
      <PartTitle>Rewards</PartTitle>
      {rewards.length === 0 && <Note>None: the message has words alone.</Note>}
      {rewards.map((reward, index) => (
        <RewardRow
          // Rewards have no names of their own, and a removed one takes its fields with it.
          key={index}
          number={index + 1}
          reward={reward}
          onChange={(changed) => onChange(rewards.with(index, changed))}
          onRemove={() => onChange(rewards.toSpliced(index, 1))}
        />
      ))}
      <div>
        <Button
          variant="default"
          size="compact-sm"
          leftSection={<IconGift size={13} aria-hidden />}
          disabled={rewards.length >= MAX_REWARDS}
          onClick={() => onChange([...rewards, { type: 'item', key: '', quantity: 1 }])}
        >
          Add reward
        </Button>
      </div>
    </Stack>
  );
}

function RewardRow(props: {
  number: number;
  reward: RewardDraft;
  onChange: (reward: RewardDraft) => void;
  onRemove: () => void;
}) {
  const { number, reward, onChange, onRemove } = props;
  const { inEnvironment } = useGame();
  const achievements = useRead('GET /v1/games/{game_id}/achievements', inEnvironment());
  const stats = useRead('GET /v1/games/{game_id}/stats', inEnvironment());
  const keys = {
    item: [],
    stat: stats.data?.stats.map(({ key }) => key) ?? [],
    achievement: achievements.data?.achievements.map(({ key }) => key) ?? [],
  }[reward.type];
  const set = (changes: Partial<RewardDraft>) => onChange({ ...reward, ...changes });
  return (
    <Group gap="xs" wrap="wrap" align="flex-end" role="group" aria-label={`Reward ${number}`}>
      <Select
        aria-label={`Type of reward ${number}`}
        data={TYPES}
        value={reward.type}
        allowDeselect={false}
        w={140}
        onChange={(type) => set({ type: type as RewardDraft['type'], key: '' })}
      />
      {reward.type !== 'achievement' && (
        <NumberInput
          aria-label={`${reward.type === 'item' ? 'Quantity' : 'Change'} of reward ${number}`}
          {...(reward.type === 'item' && { min: 1, max: MAX_ITEM_QUANTITY, allowDecimal: false })}
          w={100}
          value={reward.quantity}
          onChange={(quantity) => set({ quantity })}
        />
      )}
      <Autocomplete
        aria-label={`${NAMES[reward.type]} of reward ${number}`}
        placeholder={reward.type === 'item' ? 'gem' : 'Its key'}
        data={keys}
        maxLength={255}
        spellCheck={false}
        style={{ flex: 1, minWidth: 120 }}
        value={reward.key}
        onChange={(key) => set({ key })}
      />
      <IconButton icon={IconTrash} label={`Remove reward ${number}`} onClick={onRemove} />
    </Group>
  );
}
