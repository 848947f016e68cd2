import { Alert, Button, Group } from '@mantine/core';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';

/** What is wrong with a form as a whole, as `showFailure` set it. */
export function FormProblem({ form }: { form: { errors: Record<string, ReactNode> } }) {
  const problem = form.errors.form;
  const alert = useRef<HTMLDivElement>(null);
  // In a long form, the button that was pressed is far below.
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'center' });
  }, [problem]);
  if (!problem) return null;
  return (
    <Alert ref={alert} color="clay" variant="light" role="alert" py="xs">
      {problem}
    </Alert>
  );
}

/** The buttons at the end of a dialog's form; without an action, one may only read it. */
export function DialogButtons(props: {
  onClose: () => void;
  action: string | null;
  busy: boolean;
  /** Beside them, at the start of the line. */
  children?: ReactNode;
}) {
  const { onClose, action, busy, children } = props;
  return (
    <Group justify="space-between" gap="xs" mt="xs">
      <div>{children}</div>
      <Group gap="xs">
        <Button variant="default" onClick={onClose}>
          {action === null ? 'Close' : 'Cancel'}
        </Button>
        {action !== null && (
          <Button type="submit" loading={busy}>
            {action}
          </Button>
        )}
      </Group>
    </Group>
  );
}
