import type { UseFormReturnType } from '@mantine/form';
import { sentence, textOf } from './failure.ts';

/**
 * Shows a refusal at the field that the server's words begin with, such as `email` in `email is not
 * an e-mail address`. Words that name no field become the form's error `form`.
 */
export function showFailure<V extends object>(form: UseFormReturnType<V>, error: unknown): void {
  const words = textOf(error);
  const first = words.split(/[ .[]/, 1)[0] ?? '';
  const field = Object.keys(form.getValues()).find((name) => name === first);
  form.setErrors({ [field ?? 'form']: sentence(words) });
  if (field) form.getInputNode(field)?.focus();
}
