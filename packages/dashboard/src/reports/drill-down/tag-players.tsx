import { Alert, Autocomplete, Button, SegmentedControl } from '@mantine/core';
import { useForm } from '@mantine/form';
import { useDisclosure } from '@mantine/hooks';
import { MAX_TAGGED_PLAYERS } from '@overworld/contract/analytics/limits';
import { isVisible } from '@overworld/contract/names';
import { useChange } from '../../api/hooks.ts';
import type { Input } from '../../api/operations.ts';
import { useGame } from '../../shell/game.ts';
import { Dimmed } from '../../ui/text.tsx';
import { DialogForm, FormDialog } from '../../ui/forms/dialogs.tsx';
import { countOf, formatCount } from '../../ui/format.ts';
import { notify } from '../../ui/notify.tsx';
import { usePlayerTags } from '../questions/known-names.ts';
import { ProgressOfReport } from '../questions/slow-report.tsx';

const TAG = 'POST /v1/games/{game_id}/analytics/segment/tags';
type Segment = Input<'GET /v1/games/{game_id}/analytics/segment'>;

/**
 * The form that tags all players of a list, including those that the list does not show. Readers who may not
 * tag see nothing.
 */
export function TagPlayers({ segment, count }: { segment: Segment; count: number }) {
  const { can } = useGame();
  const [opened, dialog] = useDisclosure();
  if (!can('developer') || count === 0) return null;
  return (
    <>
      <Button size="xs" variant="default" onClick={dialog.open}>
        Tag players
      </Button>
      <FormDialog opened={opened} onClose={dialog.close} title={`Tag ${countOf(count, 'player')}`}>
        <TagForm segment={segment} count={count} />
      </FormDialog>
    </>
  );
}

function TagForm({ segment, count }: { segment: Segment; count: number }) {
  const change = useChange(TAG, { watched: true });
  const tags = usePlayerTags();
  const form = useForm({
    initialValues: { tag: '', action: 'add' as 'add' | 'remove' },
    validate: { tag: (tag) => !isVisible(tag) && 'Tag is required' },
  });
  const { action } = form.values;
  const isAdding = action === 'add';
  const isTooLarge = count > MAX_TAGGED_PLAYERS;
  const { params, query } = segment;
  return (
    <DialogForm
      form={form}
      onSubmit={(body) => change.mutateAsync({ params, query, body } as Input<typeof TAG>)}
      onDone={({ tag, changed, count: asked }) => {
        const others = asked - changed;
        const words = isAdding ? 'Tagged' : 'Untagged';
        const rest = others === 0 ? '' : `, ${formatCount(others)} were so already`;
        notify.done(`${words} ${countOf(changed, 'player')}: ${tag}${rest}`);
      }}
      danger={!isAdding}
      action={isTooLarge ? null : `${isAdding ? 'Tag' : 'Untag'} ${countOf(count, 'player')}`}
    >
      {isTooLarge ? (
        <Alert color="ochre">
          At most {formatCount(MAX_TAGGED_PLAYERS)} players can be tagged at once. Open the list as
          a segment, and add a condition.
        </Alert>
      ) : (
        <>
          <SegmentedControl
            aria-label="Change"
            data={[
              { value: 'add', label: 'Add a tag' },
              { value: 'remove', label: 'Remove a tag' },
            ]}
            {...form.getInputProps('action')}
          />
          <Autocomplete
            label="Tag"
            placeholder="left-early"
            data={tags}
            maxLength={64}
            comboboxProps={{ withinPortal: false }}
            openOnFocus={false}
            data-autofocus
            {...form.getInputProps('tag')}
          />
          <Dimmed>
            All players of the list change, also those that it does not show. The list is read again
            first, so their number may differ. The audit log keeps who did it.
          </Dimmed>
          {form.submitting && <ProgressOfReport />}
        </>
      )}
    </DialogForm>
  );
}
