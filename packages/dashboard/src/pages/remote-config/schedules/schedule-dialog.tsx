import { useRead } from '../../../api/hooks.ts';
import { useGame } from '../../../shell/game.ts';
import { FormDialog } from '../../../ui/forms/dialogs.tsx';
import { Loaded } from '../../../ui/page.tsx';
import { ScheduleForm } from './schedule-form.tsx';
import type { Schedule } from './schedules.ts';

/** Makes a scheduled change, edits one, or shows one that is over. */
export function ScheduleDialog(props: { edited: Schedule | 'new' | null; onClose: () => void }) {
  const { edited, onClose } = props;
  return (
    <FormDialog
      opened={edited !== null}
      onClose={onClose}
      title={edited === 'new' ? 'Schedule a change' : 'Scheduled change'}
      size="lg"
    >
      {edited === 'new' && <NewForm />}
      {edited !== null && edited !== 'new' && <EditForm id={edited.id} />}
    </FormDialog>
  );
}

function NewForm() {
  const { inEnvironment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment());
  return <Loaded query={config}>{(seen) => <ScheduleForm schedule={null} config={seen} />}</Loaded>;
}

function EditForm({ id }: { id: string }) {
  const { inEnvironment } = useGame();
  const config = useRead('GET /v1/games/{game_id}/config', inEnvironment());
  const schedule = useRead(
    'GET /v1/games/{game_id}/config/schedules/{schedule_id}',
    inEnvironment({ schedule_id: id }),
  );
  return (
    <Loaded query={config}>
      {(seen) => (
        <Loaded query={schedule}>
          {(found) => (
            <ScheduleForm
              schedule={found}
              config={seen}
              onConflict={() => void schedule.refetch()}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  );
}
