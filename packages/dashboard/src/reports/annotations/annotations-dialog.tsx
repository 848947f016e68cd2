import { Badge, Group, Modal, Stack, Text } from '@mantine/core';
import { IconPencil, IconTrash } from '@tabler/icons-react';
import { useState } from 'react';
import { useChange } from '../../api/hooks.ts';
import { useGame } from '../../shell/game.ts';
import { Dimmed, Note } from '../../ui/text.tsx';
import { formatCalendarDay } from '../../ui/format.ts';
import { Moment } from '../../ui/time/moment.tsx';
import { IconButton } from '../../ui/buttons.tsx';
import { notify } from '../../ui/notify.tsx';
import { AnnotationDialog } from './annotation-dialog.tsx';
import type { Annotation } from './annotation.ts';
import classes from './annotations.module.css';

const KINDS: Partial<Record<Annotation['kind'], string>> = {
  config: 'remote config',
  key_rotation: 'API key',
  release: 'release',
};

/**
 * Lists annotations with their times and authors. In the dialog, the author of an annotation and admins can
 * change it.
 */
export function AnnotationsDialog(props: {
  annotations: readonly Annotation[];
  isComplete: boolean;
  onClose: () => void;
}) {
  const { annotations, isComplete, onClose } = props;
  const [edited, setEdited] = useState<Annotation | null>(null);
  return (
    <>
      <Modal opened={edited === null} onClose={onClose} title="Annotations" size="lg">
        {annotations.length === 0 ? (
          <Dimmed>
            Nothing happened in these days: no annotation was written, no remote config published,
            no API key rotated and no version of the game new.
          </Dimmed>
        ) : (
          <Stack gap="xs">
            {!isComplete && (
              <Dimmed>
                These are the latest of the days. Choose fewer days to see the others.
              </Dimmed>
            )}
            <ul>
              {annotations.toReversed().map((annotation) => (
                <Row
                  key={annotation.id}
                  annotation={annotation}
                  onEdit={() => setEdited(annotation)}
                />
              ))}
            </ul>
          </Stack>
        )}
      </Modal>
      <AnnotationDialog
        opened={edited !== null}
        edited={edited}
        day={edited?.day ?? ''}
        onClose={() => setEdited(null)}
      />
    </>
  );
}

function Row({ annotation, onEdit }: { annotation: Annotation; onEdit: () => void }) {
  const { id, kind, day, at, text, created_by, may_edit } = annotation;
  const { game_id, environment } = useGame();
  const remove = useChange('DELETE /v1/games/{game_id}/annotations/{annotation_id}');
  const create = useChange('POST /v1/games/{game_id}/annotations');
  const deleteIt = async () => {
    await remove.mutateAsync({ params: { game_id, annotation_id: id } });
    const when = at === null ? { day } : { at };
    notify.undoable('Deleted the annotation', () =>
      create.mutateAsync({ params: { game_id }, query: { environment }, body: { text, ...when } }),
    );
  };
  const name = text.slice(0, 60);
  return (
    <li className={classes.row}>
      <div style={{ flex: 1, minWidth: 0 }}>
        <Text size="sm" className="name">
          {text}
        </Text>
        <Group gap={8}>
          <Note className="name">
            {at === null ? formatCalendarDay(day) : <Moment at={at} />}
            {created_by && `, ${created_by}`}
          </Note>
          {KINDS[kind] && <Badge color="gray">{KINDS[kind]}</Badge>}
        </Group>
      </div>
      {may_edit && (
        <Group gap={0} wrap="nowrap">
          <IconButton icon={IconPencil} label={`Edit ${name}`} onClick={onEdit} />
          <IconButton
            icon={IconTrash}
            label={`Delete ${name}`}
            onClick={() => void deleteIt().catch(notify.failed)}
          />
        </Group>
      )}
    </li>
  );
}
