import { Modal, NumberInput, Stack, Text } from '@mantine/core';
import { useForm } from '@mantine/form';
import { MAX_FREE_GAMES } from '@overworld/contract/tiers';
import { showFailure } from '../../api/field-error.ts';
import { useChange } from '../../api/hooks.ts';
import type { Answer } from '../../api/operations.ts';
import { DialogButtons, FormProblem } from '../../ui/forms/form.tsx';
import { notify } from '../../ui/notify.tsx';

type Account = Answer<'GET /v1/admin/users'>['users'][number];

/** Sets how many games on the Free tier an account may own. */
export function GamesLimitDialog(props: { account: Account | null; onClose: () => void }) {
  const { account, onClose } = props;
  return (
    <Modal opened={account !== null} onClose={onClose} title="Games of this account">
      {account && <GamesLimitForm account={account} onClose={onClose} />}
    </Modal>
  );
}

function GamesLimitForm({ account, onClose }: { account: Account; onClose: () => void }) {
  const { id: account_id, email, max_free_games } = account;
  const save = useChange('PUT /v1/admin/users/{account_id}/limits');
  const form = useForm<{ free_games: number | '' }>({
    initialValues: { free_games: max_free_games ?? '' },
  });
  return (
    <form
      noValidate
      onSubmit={form.onSubmit(({ free_games }) =>
        save.mutate(
          { params: { account_id }, body: free_games === '' ? {} : { free_games } },
          {
            onSuccess: () => {
              notify.done(`The limit of ${email} is set`);
              onClose();
            },
            onError: (error) => showFailure(form, error),
          },
        ),
      )}
    >
      <Stack>
        <FormProblem form={form} />
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
        <DialogButtons onClose={onClose} action="Set limit" busy={save.isPending} />
      </Stack>
    </form>
  );
}
