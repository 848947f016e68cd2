import { Anchor, Button, Stack, Text, TextInput, Title } from '@mantine/core';
import type { TextInputProps } from '@mantine/core';
import { useDocumentTitle } from '@mantine/hooks';
import type { ReactNode } from 'react';
import { Link } from 'react-router';
import { Form } from '../../ui/forms/form.tsx';
import type { FormProps } from '../../ui/forms/form.tsx';
import classes from './sign-in-form.module.css';

interface SignInFormProps<Values, Answer> extends FormProps<Values, Answer> {
  title: string;
  lead?: ReactNode;
  action: string;
  /** True while the page waits for an answer to a request that the form itself did not send. */
  busy?: boolean;
  /** Links to other pages, below the button. */
  others?: ReactNode;
}

/** The frame of the sign-in forms: heading, problem, fields, one button, and links to other pages. */
export function SignInForm<Values extends object, Answer>(props: SignInFormProps<Values, Answer>) {
  const { title, lead, action, busy = false, others, children, ...form } = props;
  useDocumentTitle(`${title} · Overworld`);
  const head = (
    <div>
      <Title order={1}>{title}</Title>
      {lead && (
        <Text c="dimmed" size="sm" mt={4} component="div">
          {lead}
        </Text>
      )}
    </div>
  );
  return (
    <Form {...form} gap="md" head={head}>
      {children}
      <Button type="submit" loading={busy || props.form.submitting} fullWidth size="md" mt={4}>
        {action}
      </Button>
      <Others>{others}</Others>
    </Form>
  );
}

/** A page that only shows a message and a link to the next page. */
export function SignInNote(props: { title: string; children: ReactNode; others?: ReactNode }) {
  useDocumentTitle(`${props.title} · Overworld`);
  return (
    <Stack gap="md" role="status">
      <Title order={1}>{props.title}</Title>
      <Text component="div">{props.children}</Text>
      <Others>{props.others}</Others>
    </Stack>
  );
}

function Others({ children }: { children: ReactNode }) {
  if (!children) return null;
  return (
    <Text size="sm" c="dimmed" component="div" className={classes.others}>
      {children}
    </Text>
  );
}

export const OtherWay = ({ to, children }: { to: string; children: ReactNode }) => (
  <Anchor component={Link} to={to}>
    {children}
  </Anchor>
);

/** The field for the e-mail address of a login. */
export const EmailInput = (input: TextInputProps) => (
  <TextInput
    label="E-mail"
    type="email"
    autoComplete="username"
    autoFocus
    required
    withAsterisk={false}
    {...input}
  />
);

export const PASSWORD_RULE = 'At least 8 characters, none of the most common passwords';
