import { Alert, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { focusField, showFailure } from '../../api/field-error.ts';

export interface FormProps<Values, Answer> {
  form: UseFormReturnType<Values>;
  /** A rejection shows at the field that it names. */
  onSubmit: (values: Values) => Promise<Answer>;
  /** Called with the answer, unless the form has left the screen by then. */
  onDone?: (answer: Answer) => void;
  gap?: string;
  /** Is shown above the problem, such as the title of a page that is only a form. */
  head?: ReactNode;
  children?: ReactNode;
}

/** A form: its problem and its fields. `form.submitting` tells whether an answer is awaited. */
export function Form<Values extends object, Answer>(props: FormProps<Values, Answer>) {
  const { form, onSubmit, onDone, gap, head, children } = props;
  const isShown = useRef(true);
  useEffect(() => {
    isShown.current = true;
    return () => void (isShown.current = false);
  }, []);
  useMendedProblem(form);
  const submit = async (values: Values) => {
    let answer: Answer;
    try {
      answer = await onSubmit(values);
    } catch (error) {
      return showFailure(form, error);
    }
    if (isShown.current) onDone?.(answer);
  };
  const goToMistake = (errors: object) => focusField(form, Object.keys(errors)[0]!);
  return (
    <form onSubmit={form.onSubmit(submit, goToMistake)} noValidate>
      <Stack gap={gap}>
        {head}
        <FormProblem form={form} />
        {children}
      </Stack>
    </form>
  );
}

/** Removes the problem of the form as a whole as soon as the reader changes something. */
function useMendedProblem<Values extends object>(form: UseFormReturnType<Values>): void {
  const { values, errors } = form;
  const last = useRef({ values, errors });
  useEffect(() => {
    const { current } = last;
    last.current = { values, errors };
    // Values that change together with the problem were changed by the form, not by the reader.
    if (current.values !== values && current.errors === errors) form.clearFieldError('form');
  });
}

/** The problem of a form as a whole, as `showFailure` set it. */
function FormProblem({ form }: { form: { errors: Record<string, ReactNode> } }) {
  const problem = form.errors.form;
  const alert = useRef<HTMLDivElement>(null);
  // In a long form, the button that was pressed is far below.
  useEffect(() => {
    alert.current?.scrollIntoView({ block: 'center' });
  }, [problem]);
  if (!problem) return null;
  return (
    <Alert ref={alert} color="clay" role="alert" py="xs">
      {problem}
    </Alert>
  );
}
