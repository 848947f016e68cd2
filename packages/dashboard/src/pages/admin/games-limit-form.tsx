import { NumberInput, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_FREE_GAMES } from '@overworld/contract/tiers';
import { useChange } from '../../api/hooks.ts';
import { DialogForm } from '../../ui/forms/form-dialog.tsx';
import { notify } from '../../ui/notify.tsx';
import type { Account } from './accounts-tab.tsx';

/** Sets how many games on the Free tier an account may own. */
export function GamesLimitForm({ account }: { account: Account }) {
  const { id: account_id, email, max_free_games } = account;
  const save = useChange('PUT /v1/admin/users/{account_id}/limits');
  const form = useForm<{ free_games: number | '' }>({
    initialValues: { free_games: max_free_games ?? '' },
  });
  const submit = async ({ free_games }: typeof form.values) => {
    const body = free_games === '' ? {} : { free_games };
    await save.mutateAsync({ params: { account_id }, body });
    notify.done(`The limit of ${email} is set`);
  };
  return (
    <DialogForm form={form} onSubmit={submit} action="Set limit">
      <Text size="sm" className="name">
        How many games on the Free tier <b>{email}</b> may own. Games on other tiers do not count.
      </Text>
      <NumberInput
        label="Games on the Free tier"
        placeholder={`${MAX_FREE_GAMES}, as for other accounts`}
        min={0}
        allowDecimal={false}
        allowNegative={false}
        data-autofocus
        {...form.getInputProps('free_games')}
      />
    </DialogForm>
  );
}
