import { Button, Stack, Text, Title } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import classes from './sign-in-form.module.css';
import { FormProblem } from '../../ui/forms/form.tsx';

/** The frame of the sign-in forms: heading, fields, what went wrong, one button, other ways. */
export function SignInForm<V extends Record<string, unknown>>(props: {
  title: string;
  lead?: ReactNode;
  form: UseFormReturnType<V>;
  onSubmit: (values: V) => void;
  action: string;
  busy: boolean;
  children: ReactNode;
  others?: ReactNode;
}) {
  const { title, lead, form, onSubmit, action, busy, children, others } = props;
  useDocumentTitle(`${title} · Overworld`);
  return (
    <form onSubmit={form.onSubmit(onSubmit)} noValidate>
      <Stack gap="md">
        <div>
          <Title order={1}>{title}</Title>
          {lead && (
            <Text c="dimmed" size="sm" mt={4} component="div">
              {lead}
            </Text>
          )}
        </div>
        <FormProblem form={form} />
        {children}
        <Button type="submit" loading={busy} fullWidth size="md" mt={4}>
          {action}
        </Button>
        {others && (
          <Text size="sm" c="dimmed" component="div" className={classes.others}>
            {others}
          </Text>
        )}
      </Stack>
    </form>
  );
}

/** A page that only says something, and leads on. */
export function SignInNote(props: { title: string; children: ReactNode; others?: ReactNode }) {
  useDocumentTitle(`${props.title} · Overworld`);
  return (
    <Stack gap="md" role="status">
      <Title order={1}>{props.title}</Title>
      <Text component="div">{props.children}</Text>
      {props.others && (
        <Text size="sm" c="dimmed" component="div" className={classes.others}>
          {props.others}
        </Text>
      )}
    </Stack>
  );
}
