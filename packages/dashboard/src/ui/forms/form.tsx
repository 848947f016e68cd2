import { Alert, Stack } from '@mantine/core';
import type { UseFormReturnType } from '@mantine/form';
import { useEffect, useRef } from 'react';
import type { ReactNode } from 'react';
import { focusField, showFailure } from '../../api/field-error.ts';

export interface FormProps<Values, Answer> {
  form: UseFormReturnType<Values>;
  /** If the promise rejects, the error is shown at the field that the error names. */
  onSubmit: (values: Values) => Promise<Answer>;
  /** Called with the answer, unless the form is no longer on the screen by then. */
  onDone?: (answer: Answer) => void;
  gap?: string;
  /** Shown above the problem, such as the title of a page that is only a form. */
  head?: ReactNode;
  children?: ReactNode;
}

/** A form with its problem and its fields. `form.submitting` is true while an answer is awaited. */
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

/** Removes the problem of the whole form as soon as the reader changes something. */
function useMendedProblem<Values extends object>(form: UseFormReturnType<Values>): void {
  const { values, errors } = form;
  const last = useRef({ values, errors });
  useEffect(() => {
    const { current } = last;
    last.current = { values, errors };
    // If values change together with the problem, the form changed them, not the reader.
    if (current.values !== values && current.errors === errors) form.clearFieldError('form');
  });
}

/** Shows the problem of the whole form, as `showFailure` set it. */
function FormProblem({ form }: { form: { errors: Record<string, ReactNode> } }) {
  const problem = form.errors.form;
  const alert = useRef<HTMLDivElement>(null);
  // In a long form, the pressed button may be far below the problem.
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
