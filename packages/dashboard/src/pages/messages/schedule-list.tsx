import { Badge, Group, Menu, Text } from '@mantine/core';
import { useChange, useRead } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { DangerItem, RowMenu } from '../../ui/actions-menu.tsx';
import { Confirm, FormDialog, useDialog } from '../../ui/forms/dialogs.tsx';
import { notify } from '../../ui/notify.tsx';
import { Card } from '../../ui/page.tsx';
import { showName } from '../../ui/shown-name.ts';
import { FailureText, Note } from '../../ui/text.tsx';
import { Ago, Moment } from '../../ui/time/moment.tsx';
import { CHANGE_SCHEDULE, SCHEDULES } from './message-draft.ts';
import type { Schedule } from './message-draft.ts';
import { MessageForm } from './message-form.tsx';
import { audienceWords, scheduleWords } from './message-words.ts';
import classes from '../../ui/action-list.module.css';

/** The time after which the list is loaded again, because messages are sent meanwhile. */
const READ_AGAIN_MS = 15_000;

/** The schedules that send messages; nothing if there are none. */
export function ScheduleList() {
  const { inEnvironment, can } = useGame();
  const { data } = useRead(SCHEDULES, inEnvironment(), { every: READ_AGAIN_MS });
  const remove = useChange('DELETE /v1/games/{game_id}/message-schedules/{message_schedule_id}');
  const change = useChange(CHANGE_SCHEDULE);
  const editing = useDialog<Schedule>();
  const deleting = useDialog<Schedule>();
  const schedules = data?.schedules ?? [];
  if (schedules.length === 0) return null;

  const setPaused = ({ id, title }: Schedule, paused: boolean) =>
    notify.outcome(
      change.mutateAsync({ ...inEnvironment({ message_schedule_id: id }), body: { paused } }),
      `“${showName(title)}” ${paused ? 'is paused' : 'goes on'}`,
    );

  return (
    <Card flush title="Sent again and again">
      <ul className={classes.list} aria-label="Schedules">
        {schedules.map((schedule) => (
          <li key={schedule.id} className={classes.row}>
            <div className={classes.text}>
              <Group gap="xs">
                <Text size="sm" fw={500} className="name">
                  {showName(schedule.title)}
                </Text>
                {schedule.paused && <Badge color="gray">Paused</Badge>}
              </Group>
              <Note className="name">
                {scheduleWords(schedule)}, to{' '}
                {showName(audienceWords({ ...schedule, member_count: null }))}
              </Note>
              <Note>
                {schedule.next_at !== null && (
                  <>
                    Next <Moment at={schedule.next_at} to="minute" />,{' '}
                  </>
                )}
                {schedule.last_sent_at === null ? (
                  'none sent yet'
                ) : (
                  <>
                    last sent <Ago at={schedule.last_sent_at} />
                  </>
                )}
              </Note>
              {schedule.problem !== null && (
                <FailureText>The last one was not sent: {showName(schedule.problem)}</FailureText>
              )}
            </div>
            {can('developer') && (
              <RowMenu name={schedule.title}>
                <Menu.Item onClick={() => editing.open(schedule)}>Edit…</Menu.Item>
                <Menu.Item onClick={() => setPaused(schedule, !schedule.paused)}>
                  {schedule.paused ? 'Go on' : 'Pause'}
                </Menu.Item>
                <DangerItem onClick={() => deleting.open(schedule)}>Delete…</DangerItem>
              </RowMenu>
            )}
          </li>
        ))}
      </ul>
      <FormDialog {...editing.frame} title="Change what is sent" size="lg">
        {editing.item !== null && <MessageForm schedule={editing.item} />}
      </FormDialog>
      <Confirm
        {...deleting.frame}
        title="Delete this schedule?"
        action="Delete schedule"
        onConfirm={async () => {
          await remove.mutateAsync(inEnvironment({ message_schedule_id: deleting.item!.id }));
          notify.done('Schedule deleted');
        }}
      >
        <b className="name">{showName(deleting.item?.title)}</b> is not sent any more. Messages that
        were sent stay, and can be recalled.
      </Confirm>
    </Card>
  );
}
